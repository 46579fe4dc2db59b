"""pdb and coverage on a program under `cord run` see what they see on the plain program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'
FILES = {
    "cord.toml": PLAN,
    "work.py": "def square(x):\n    return x * x\n",
    "helpers.py": """\
from work import square

def limited(x):
    if x > 100:
        return None
    return square(
        x
    )
""",
    "main.py": """\
import sys
import helpers
from work import square

def search(n):
    total = 0
    if "debug" in sys.argv:
        breakpoint()
    for x in range(n):
        y = square(x)
        if y > 3:
            break
        total += y
    else:
        total = -1
    return total

class Search:
    def run(self, n):
        if not n:
            return 0
        return [
            helpers.limited(x)
            for x in range(n)
        ]

print(search(9))
print(search(1))
print(Search().run(3))
print("end")
""",
}


LATE = """\
def late(n):
    total = 7
    square('a')
late(2)
"""


def run(made: Project, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=made.folder,
        input=stdin,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_stepping_after_a_breakpoint_call(project: Callable[..., Project]) -> None:
    made = project(FILES)
    commands = "\n".join(["l", "n", "n", "p x", "n", "n", "n", "n", *["n"] * 5, "p y, total", "c"])
    commands += "\nn\nn\nr\nb 22\nc\np n\nu\nl\nd\ncl 1\nc\nc\n"
    plain = run(made, "main.py", "debug", stdin=commands)
    cord = run(made, "-m", "cord", "run", "main.py", "debug", stdin=commands)
    assert (cord.stdout, cord.returncode) == (plain.stdout, plain.returncode)
    assert "(Pdb) (4, 1)" in plain.stdout


def test_breakpoints_of_a_debugger_around_cord(project: Callable[..., Project]) -> None:
    made = project(FILES)
    commands = "b main.py:12\nb helpers.py:6\nc\np x, y, total\nn\nc\np x\ncl 1 2\nq\n"
    plain = run(made, "-m", "pdb", "main.py", stdin=commands).stdout
    cord = run(made, "-m", "pdb", "-m", "cord", "run", "main.py", stdin=commands).stdout

    def stops(text: str) -> list[str]:
        lines = text.splitlines()
        first = next(i for i, line in enumerate(lines) if "main.py(12)" in line)
        return [line for line in lines[first:] if "main.py" in line or "helpers.py" in line]

    assert len(stops(plain)) > 3
    assert stops(cord) == stops(plain)
    assert "(Pdb) (2, 4, 1)" in cord


def test_a_debugger_after_an_error(project: Callable[..., Project]) -> None:
    main = FILES["main.py"].replace('print("end")', LATE)
    made = project(FILES)
    hook = "import pdb, sys\nsys.excepthook = lambda *error: pdb.post_mortem(error[2])\n"
    made.write({"main.py": hook + main})
    for words in (["main.py"], ["-m", "cord", "run", "main.py"]):
        shown = run(made, *words, stdin="u\np n, total\nq\n").stdout
        assert "-> square('a')" in shown
        assert "(Pdb) (2, 7)" in shown


@pytest.mark.parametrize("branch", [False, True])
def test_coverage_counts_the_same_lines(project: Callable[..., Project], branch: bool) -> None:
    made = project(FILES)

    def measured(*words: str) -> dict[str, object]:
        options = ["--branch"] if branch else []
        data = ["--data-file", str(made.scratch / "data")]
        told = run(made, "-m", "coverage", "run", *options, *data, "--source", ".", *words)
        assert told.returncode == 0, told.stderr
        report = made.scratch / "report.json"
        run(made, "-m", "coverage", "json", *data, "-q", "-o", str(report))
        files = json.loads(report.read_text())["files"]
        return {name: files[name] for name in ("main.py", "helpers.py")}

    plain = measured("main.py")
    assert measured("-m", "cord", "run", "main.py") == plain
    assert measured("-m", "cord", "run", "-m", "main") == plain
