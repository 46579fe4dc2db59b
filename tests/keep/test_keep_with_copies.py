"""Calls that copies of the program make are kept by the state that they were made in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from keep.project import Project

FORCED = Path(__file__).parents[1] / "copies" / "told_run.py"
PLAN = "[remote.work]\npure = true\nkeep = true\nreplicas = 2\n"
WORK = """\
import held

TABLE = {"a": 1}


def ask(x):
    return TABLE["a"] + x + held.box.v
"""
HELD = """\
class Box:
    v = 1


box = Box()
"""
MAIN = """\
import held, work

for _ in range(3):
    print(work.ask(1))
    work.TABLE["a"] += 10
    print(work.ask(1))
    held.box.v += 100
    held.Box.v += 1
"""


def test_the_state_that_a_call_finds_and_the_one_it_is_kept_by_are_one(tmp_path: Path) -> None:
    for turn in range(4):
        files = {"main.py": MAIN, "work.py": WORK, "held.py": HELD, "cord.toml": PLAN}
        project = Project(tmp_path / str(turn), files)
        words = [sys.executable, str(FORCED), "forced", "/dev/null", "main.py"]
        for _ in range(2):
            run = subprocess.run(
                words, cwd=project.folder, capture_output=True, text=True, check=True
            )
            assert run.stdout == project.plain(), run.stderr
