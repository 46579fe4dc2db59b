"""What a run has found is known to the next one, as long as the files are the same."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cord.plan import program as programs
from cord.tools.unplanned.choice import Taken, known
from cord.tools.unplanned.remembered import kept_of, recall, remember
from cord.tools.unplanned.watch import Function


def work(x: int) -> int:
    return x


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "main.py"
    path.write_text("import work\n")
    (tmp_path / "work.py").write_text("def work(x): return x\n")
    return path


def taken(*, waits: bool) -> Taken:
    function = Function(work.__code__, {"__name__": "work"})
    function.looks = 4
    return known(function, waits=waits, inside=False)


@pytest.mark.parametrize("waits", [True, False])
def test_functions_and_what_they_do(script: Path, waits: bool):
    program = programs.script(str(script))
    remember(kept_of(program), [taken(waits=waits)], [str(script.parent / "work.py")])
    assert recall(kept_of(program)) == {"work.work": (waits, False)}


def test_nothing_where_a_file_has_changed(script: Path):
    program, file = programs.script(str(script)), script.parent / "work.py"
    remember(kept_of(program), [taken(waits=True)], [str(file)])
    os.utime(file, ns=(1, 1))
    assert recall(kept_of(program)) == {}


def test_nothing_at_first(script: Path):
    assert recall(kept_of(programs.script(str(script)))) == {}
