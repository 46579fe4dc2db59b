"""However a program ends, its exit status is that of plain Python, and nothing of it lives on."""

from __future__ import annotations

import os
import signal
import time

import pytest

PLAN = '[remote.work]\nreplicas = 3\nrepeatable = true\ncallstyle = "async"\ninline = false\n'
WORK = """
import sys, time
def leave(code):
    sys.exit(code)
def half(n):
    return 1 / n
def last(n):
    open("begun", "w").close()
    time.sleep(60)
"""
ENDS = {
    "by_itself": "print(work.half(2))",
    "by_sys_exit": "print(work.half(4))\nraise SystemExit(7)",
    "by_sys_exit_with_words": "import sys\nprint(work.half(4))\nsys.exit('no more')",
    "by_an_exception": "print([work.half(n) for n in (2, 1, 0, 5)])",
    "by_sys_exit_in_a_replica": "print(work.half(8))\nwork.leave(5)\nprint('not here')",
}
PATIENCE = 30.0


@pytest.mark.parametrize("how", ENDS)
def test_a_program_ends_as_in_plain_python(program, how: str):
    made = program(PLAN, f"import work\n{ENDS[how]}\n", work=WORK)
    cord, plain = made.run(), made.plain()
    assert (cord.stdout, cord.returncode) == (plain.stdout, plain.returncode)
    assert cord.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_a_signal_ends_leaves_nothing(program, number: signal.Signals):
    made = program(PLAN, "import work\n[work.last(n) for n in range(9)]\n", work=WORK)
    process = made.start()
    until = time.monotonic() + PATIENCE
    while not (made.folder / "begun").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(process.pid, number)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == -number
    if number == signal.SIGINT:
        assert stderr.splitlines()[-1] == "KeyboardInterrupt"
    made.leaves_nothing()
