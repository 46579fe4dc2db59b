"""SIGUSR1 asks a run under ``--live`` for its state; all else of signals is as under Python."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plans import work_plan

WORK = """\
import os
import signal
import time

def nap(x, seconds=0.1):
    time.sleep(seconds)
    return x

def once(path):
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return path
"""
PLAN = work_plan()
ASKS = "import os, signal, time, work\nask = lambda: os.kill(os.getpid(), signal.SIGUSR1)\n"

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a program whose stderr is no terminal."""
    started: list[subprocess.Popen[str]] = []

    def begin(main: str, *options: str) -> subprocess.Popen[str]:
        for name, text in {"main.py": main, "work.py": WORK, "cord.toml": PLAN}.items():
            (tmp_path / name).write_text(text)
        words = [sys.executable, "-m", "cord", "run", *options, "main.py"]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(words, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def told(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    stdout, stderr = process.communicate(timeout=60)
    return process.returncode, stdout, stderr


def test_a_run_that_waits_tells_for_what(start: Start) -> None:
    process = start(
        "import work\nprint('begun', flush=True)\nfor x in range(4):\n    work.nap(x, 0.8)\n",
        "--live",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGUSR1)
    status, _, stderr = told(process)
    assert status == 0
    state = re.sub(r"\d+\.\d\d (s|ms)|\d:\d\d", "TIME", stderr)
    assert state.startswith("\nThe state of main.py after TIME:\n")
    assert "  The program has been at main.py:4 work.nap for TIME\n" in state
    assert re.search(r"\n  Loop: main\.py:3 \d of 4, \d+ %", state)
    assert re.search(r"\n  Calls \d done, .*, 2 running, \d waiting\n", state)
    for replica in (1, 2):
        has_run = f"\n  work, replica {replica}: has run main.py:4 work.nap for TIME"
        assert has_run in state


def test_a_run_in_code_that_lets_nobody_run_tells_its_last_call(start: Start) -> None:
    main = ASKS + (
        "work.nap(1)\n"
        "import ctypes\n"
        "ask()\n"
        "ctypes.PyDLL(None).usleep(600_000)  # with the interpreter's lock\n"
    )
    status, _, stderr = told(start(main, "--live"))
    assert status == 0
    assert re.search(
        r"The program has been in its own code for .*, since main.py:3 work.nap\n", stderr
    )
    assert "  work, replica 1: idle\n" in stderr


def test_the_line_of_the_programs_own_is_told(start: Start) -> None:
    main = ASKS + (
        "work.nap(1)\n"
        "for _ in range(6):  # on a busy machine it may not be seen at once\n"
        "    ask()\n"
        "    until = time.monotonic() + 0.3\n"
        "    while time.monotonic() < until: sum(range(1000))\n"
    )
    status, _, stderr = told(start(main, "--live"))
    assert status == 0
    assert re.search(r", since main.py:3 work.nap, and (is|was) at main.py:7", stderr)


def test_calls_in_a_loop_by_while_are_counted_in_each_turn_around(start: Start) -> None:
    main = ASKS + (
        "for x in range(2):\n"
        "    left = 4\n"
        "    while left:\n"
        "        left -= work.nap(1, 0.3)\n"
        "        if x and left == 1: ask()\n"
    )
    status, _, stderr = told(start(main, "--live", "--set", "remote.work.callstyle=sync"))
    assert status == 0
    assert "  Loop: main.py:3 1 of 2, 50 %" in stderr
    assert "\n  Loop: main.py:5 while, call 4\n" in stderr


def test_a_replica_that_has_died_is_told_of(start: Start) -> None:
    status, _, stderr = told(start(ASKS + "work.once('flag')\nask()\ntime.sleep(0.5)\n", "--live"))
    assert status == 0
    assert re.search(r"\n  Lost: a replica of work \(process \d+\) was ended by signal 9\n", stderr)


def test_without_being_asked_for_the_signal_ends_the_program(start: Start) -> None:
    status, _, stderr = told(start(ASKS + "work.nap(1)\nask()\ntime.sleep(5)\n"))
    assert (status, stderr) == (-signal.SIGUSR1, "")


def test_the_programs_own_handler_is_left_alone(start: Start) -> None:
    main = ASKS + (
        "assert signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL\n"
        "work.nap(1)\n"
        "signal.signal(signal.SIGUSR1, lambda *_: print('mine', flush=True))\n"
        "ask()\n"
        "time.sleep(0.3)\n"
        "signal.signal(signal.SIGUSR1, signal.SIG_DFL)\n"
        "ask()\n"
        "time.sleep(5)\n"
    )
    status, stdout, stderr = told(start(main, "--live"))
    assert (status, stdout, stderr) == (-signal.SIGUSR1, "mine\n", "")


def test_what_the_program_starts_is_as_without_cord(start: Start, tmp_path: Path) -> None:
    main = ASKS + (
        "import subprocess, sys\n"
        "work.nap(1)\n"
        "show = 'grep -E ^Sig(Blk|Ign|Cgt) /proc/self/status'.split()\n"
        "subprocess.run(show)\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    ask()\n"
        "    time.sleep(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    cord = told(start(main, "--live"))
    words = [sys.executable, "main.py"]
    plain = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert cord == (plain.returncode, plain.stdout, plain.stderr)
    assert f"{-signal.SIGUSR1}" in plain.stdout


def test_how_far_a_loop_is_depends_on_what_it_walks(start: Start) -> None:
    loops = {
        "list": ("for x in [0, 1, 2]:", "main.py:10 2 of 3, 66 %"),
        "items": ("for x, (key, one) in enumerate({1: 2, 3: 4, 5: 6}.items()):", "2 of 3, 66 %"),
        "zip": ("for x, one in zip(range(9), 'abcd'):", "2 of 4, 50 %"),
        "reversed": ("for x in reversed([2, 1, 0]):", "2 of 3, 66 %"),
        "iterator": ("for x in itertools.islice(itertools.count(), 3):", "turn 3"),
        "generator": ("for x in numbers():", ""),
    }
    main = ASKS + (
        "import itertools, sys\n"
        "def numbers():\n"
        "    yield from range(3)\n"
        "def tell(name, x):\n"
        "    if x == 2:\n"
        "        print(name, file=sys.stderr)\n"
        "        ask(); time.sleep(0.3)\n"
    )
    for name, (head, _) in loops.items():
        main += f"{head}\n    work.nap(0, 0.06); tell({name!r}, x)\n"
    main += "print('map', file=sys.stderr)\nlist(map(work.nap, 'abc', [0.15] * 4)); ask()\n"
    main += "time.sleep(0.3)\n"
    status, _, stderr = told(start(main, "--live", "--set", "remote.work.callstyle=sync"))
    assert status == 0
    parts = re.split(r"^(?=[a-z]+$)", stderr, flags=re.M)[1:]
    states = dict(part.split("\n", 1) for part in parts)
    found = {name: re.findall(r"  Loop: (.*)", state) for name, state in states.items()}
    for line, (name, (_, told_of)) in enumerate(loops.items()):
        [loop] = found[name]
        assert loop.startswith(f"main.py:{10 + 2 * line}"), name
        assert told_of in loop, name
        assert told_of or loop == f"main.py:{10 + 2 * line}", name
    assert re.match(r"main\.py:23 [12] of 3, ", found["map"][0])
