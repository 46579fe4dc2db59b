"""However the program ends while a copy of it runs, nothing is left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true

[run]
copies = true
"""
WORK = """\
import time

def nap(x):
    time.sleep(0.01)
    return x + 1
"""
# The copy is far ahead, waits for the program, and then the program ends.
MAIN = """\
import os, signal, sys, time
import work

def each(function):
    exec("for x in range(9999): results.append(function(x)); after(x)", globals(), locals())

def after(x):
    if x == 20:
        time.sleep(0.05)
        {end}

results = []
each(work.nap)
"""
ENDS = {
    "exits": "sys.exit(3)",
    "exits_at_once": "os._exit(3)",
    "raises": "raise ValueError(x)",
    "is_killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "is_interrupted": "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)",
    "is_ended_by_a_signal": "os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)",
    "becomes_another": "os.execlp('true', 'true')",
}


@pytest.mark.parametrize("how", ENDS)
def test_nothing_is_left_when_the_program(how: str, project: Callable[..., Project]) -> None:
    main = MAIN.format(end=ENDS[how])
    one = project({"main.py": main, "work.py": WORK, "cord.toml": PLAN})
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert (cord.returncode, cord.stdout) == (plain.returncode, plain.stdout)
    assert one.left_behind() == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_copy_that_a_thread_has_made(
    how: signal.Signals, project: Callable[..., Project]
) -> None:
    main = """\
import threading, time
import work

def each():
    exec("for x in range(9999): work.nap(x)")

threading.Thread(target=each, daemon=True).start()
print("now", flush=True)
while True:
    time.sleep(0.01)
"""
    one = project(
        {"main.py": main, "work.py": WORK, "cord.toml": PLAN.replace("repeatable", "pure")}
    )
    process = one.start("main.py")
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    assert _waits_for_copy(process.pid)
    os.kill(process.pid, how)
    process.communicate(timeout=30)
    assert one.left_behind() == []


def _waits_for_copy(program: int) -> bool:
    """Whether a thread other than the first has a child in time."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for thread in os.listdir(f"/proc/{program}/task"):
            if (
                int(thread) != program
                and Path(f"/proc/{program}/task/{thread}/children").read_text()
            ):
                return True
        time.sleep(0.001)
    return False


def test_an_interrupt_from_the_terminal_reaches_copies_too(
    project: Callable[..., Project],
) -> None:
    main = MAIN.format(end="print('now', flush=True); time.sleep(9)")
    one = project({"main.py": main, "work.py": WORK, "cord.toml": PLAN})
    process = one.start("main.py")
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    os.killpg(process.pid, signal.SIGINT)
    began = time.monotonic()
    _, stderr = process.communicate(timeout=30)
    assert stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert time.monotonic() - began < 5
    assert one.left_behind() == []
