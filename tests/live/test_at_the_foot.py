"""``cord run --live`` in a terminal: two lines at its foot, and nothing else is touched."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Terminal
from tests.plans import work_plan

WORK = """\
import time

def nap(x, seconds=0.1):
    time.sleep(seconds)
    return x
"""
PLAN = work_plan(copies=True)
COUNTS = """\
import work
for x in range(20):
    print("line", work.nap(x))
"""
# Long enough for a few pictures, and ended in another way each.
ENDS = """\
import os, signal, sys, work
for x in range(12):
    work.nap(x)
print("over", flush=True)
{}
"""

Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Start a program in a terminal."""

    def begin(main: str, *shell: str, rows: int = 12, kind: str = "xterm") -> Terminal:
        for name, text in {"main.py": main, "work.py": WORK, "cord.toml": PLAN}.items():
            (tmp_path / name).write_text(text)
        words = [sys.executable, "-m", "cord", "run", "--live", "main.py"]
        return Terminal(tmp_path, *(shell or words), rows=rows, kind=kind)

    return begin


def test_the_program_writes_above_the_lines(start: Start) -> None:
    seen = start(COUNTS)
    seen.until_drawn()
    seen.until(lambda: "main.py:2 1" in seen.lines[-2])
    assert " of 20, " in seen.lines[-2]
    assert "work 2 of 2 busy" in seen.lines[-1]
    above = [line for line in seen.lines[:-2] if line]
    first = int(above[0].removeprefix("line "))
    assert above == [f"line {first + at}" for at in range(len(above))]
    assert seen.end() == 0
    assert seen.lines[:10][-2:] == ["line 19", ""]
    assert seen.lines[-2:] == ["", ""]
    assert seen.scrolls_all


def test_all_that_the_program_writes_is_there(start: Start) -> None:
    seen = start(COUNTS, rows=40)
    assert seen.end() == 0
    assert b"calls " in seen.written
    assert seen.text == "\n".join(f"line {at}" for at in range(20))


def test_a_prompt_and_what_is_typed_stay_where_they_are(start: Start) -> None:
    main = """\
import work
for x in range(5):
    work.nap(x)
name = input("Who? ")
print("hello", name)
"""
    seen = start(main)
    seen.until_drawn()
    seen.until(lambda: seen.lines[0] == "Who?")
    assert seen.cursor == (0, 5)
    seen.type("Ann\n")
    assert seen.end() == 0
    assert seen.text == "Who? Ann\nhello Ann"


def test_a_bar_of_the_programs_own_is_one_line(start: Start) -> None:
    main = """\
import os, sys, time, work
for x in range(12):
    sys.stderr.write(f"\\rdone {work.nap(x)}")
    sys.stderr.flush()
    time.sleep(0.1)  # the line is drawn before the program ends
os.system("echo; echo from a shell")
"""
    seen = start(main)
    seen.until_drawn()
    assert seen.end() == 0
    assert seen.text == "done 11\nfrom a shell"


@pytest.mark.parametrize(
    ("how", "status", "last"),
    [
        ("raise ValueError('no')", 1, "ValueError: no"),
        ("sys.exit('no more')", 1, "no more"),
        ("os._exit(3)", 3, "over"),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, "over"),
        ("os.execlp('echo', 'echo', 'as another')", 0, "as another"),
    ],
)
def test_however_the_program_ends_the_terminal_is_as_it_was(
    start: Start, how: str, status: int, last: str
) -> None:
    seen = start(ENDS.format(how))
    seen.until(lambda: b"calls " in seen.written)  # a busy machine may show it too late to be seen
    assert os.waitstatus_to_exitcode(seen.end()) == status
    seen.until(lambda: seen.scrolls_all)
    assert seen.text.splitlines()[-1] == last
    assert "calls " not in seen.text


def test_the_lines_follow_the_size(start: Start) -> None:
    seen = start(COUNTS.replace("20", "40"), rows=20)
    seen.until_drawn()
    seen.resize(12)
    seen.until(lambda: len(seen.lines) == 12 and "calls " in seen.lines[-1])
    seen.resize(24)
    seen.until(lambda: "calls " in seen.lines[-1])
    assert sum("calls " in line for line in seen.lines) == 1
    assert seen.end() == 0
    assert "calls " not in seen.text
    assert seen.text.splitlines()[-1] == "line 39"


def test_nothing_is_drawn_while_single_keys_are_read(start: Start) -> None:
    main = """\
import sys, termios, tty, work
old = termios.tcgetattr(0)
tty.setcbreak(0)
for x in range(12):
    work.nap(x)
print("mine")
sys.stdin.read(1)
termios.tcsetattr(0, termios.TCSADRAIN, old)
for x in range(12, 24):
    work.nap(x)
"""
    seen = start(main)
    seen.until(lambda: "mine" in seen.text)
    assert b"calls " not in seen.written
    seen.type("k")
    seen.until_drawn()
    assert seen.end() == 0


def test_a_shell_has_the_terminal_while_the_program_is_stopped(start: Start) -> None:
    seen = start(COUNTS.replace("20", "40"), "bash", "--norc", "--noprofile", "-i", rows=30)
    seen.type(f"PS1='ready: '; {sys.executable} -m cord run --live main.py >/dev/null\n")
    seen.until_drawn()
    seen.type("\x1a")
    seen.until(lambda: seen.text.endswith("\nready:"))
    assert "Stopped" in seen.text
    assert "calls " not in seen.text
    assert seen.scrolls_all
    seen.type("bg\n")
    seen.until(lambda: seen.text.endswith("\nready:") and "&" in seen.lines[seen.cursor[0] - 1])
    drawn = seen.written.count(b"calls ")
    seen.type("sleep 0.5; echo slept\n")
    seen.until(lambda: "\nslept" in seen.text)
    assert seen.written.count(b"calls ") == drawn, "nothing is drawn in the background"
    seen.type("fg\n")
    seen.until_drawn()
    seen.until(lambda: seen.text.endswith("\nready:"))
    assert "calls " not in seen.text
    assert seen.scrolls_all
    seen.type("exit\n")
    seen.end()


@pytest.mark.parametrize(("rows", "kind"), [(4, "xterm"), (12, "dumb")])
def test_a_terminal_that_cannot_show_them_has_no_lines(start: Start, rows: int, kind: str) -> None:
    seen = start(COUNTS.replace("20", "12"), rows=rows, kind=kind)
    assert seen.end() == 0
    assert seen.written == b"".join(b"line %d\r\n" % at for at in range(12))


def test_a_run_that_is_soon_over_shows_nothing(start: Start) -> None:
    seen = start("import work\nprint(work.nap(1, 0))\n")
    assert seen.end() == 0
    assert seen.written == b"1\r\n"


def test_nothing_is_written_to_what_stands_in_the_place_of_stderr(
    start: Start, tmp_path: Path
) -> None:
    main = """\
import os, work
for x in range(10):
    work.nap(x)
os.dup2(os.open("other.txt", os.O_CREAT | os.O_WRONLY), 2)
for x in range(10, 18):
    work.nap(x)
os.write(2, b"mine")
"""
    seen = start(main)
    seen.until_drawn()
    assert seen.end() == 0
    assert (tmp_path / "other.txt").read_bytes() == b"mine"
    seen.until(lambda: seen.scrolls_all)
    assert seen.text == ""
