"""``cord tune``, on a small program."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cord.cli.main import run_command
from cord.tools.tune import command, race
from cord.tools.tune.space import Axis

WORK = """\
import time

def nap(x):
    time.sleep(0.03)
    return x
"""
MAIN = """\
import sys, work
print(sum(work.nap(x) for x in range(int(sys.argv[1]))))
"""
PLAN = """\
# mine
[remote.work]
replicas = 8
callstyle = "sync"
pure = true"""
AHEAD = Axis("work callstyle", [(('remote."work".callstyle', "async"),)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"main.py": MAIN, "work.py": WORK, "cord.toml": PLAN}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(race, "ROUNDS", 1)
    monkeypatch.setattr(race, "LAST_ROUNDS", 1)
    monkeypatch.setattr(command, "axes", lambda *_: [AHEAD])
    return tmp_path


def test_what_is_found_is_added_to_the_plan(folder, capsys):
    assert run_command(["tune", "main.py", "40"]) == 0
    text = (folder / "cord.toml").read_text()
    assert text.startswith(f"{PLAN}\n\n# Found by cord tune on ")
    assert "for main.py 40:" in text
    assert '[variants.tuned.remote."work"]\ncallstyle = "async"  # ' in text
    shown = capsys.readouterr()
    assert "It stands in " in shown.out
    assert "plain Python" in shown.err
    assert run_command(["check", "--variant", "tuned", "main.py"]) == 0


def test_nothing_is_overwritten(folder, capsys):
    (folder / "cord.toml").write_text(f"{PLAN}\n[variants.tuned]\n")
    assert run_command(["tune", "main.py", "3"]) == 2
    assert "has [variants.tuned] already, and nothing is overwritten" in capsys.readouterr().err


def test_where_nothing_gains_the_plan_stays(folder, capsys, monkeypatch):
    slower = Axis("work replicas", [(('remote."work".callstyle', '"sync"'),)])
    monkeypatch.setattr(command, "axes", lambda *_: [slower])
    assert run_command(["tune", "--json", "main.py", "2"]) == 0
    assert (folder / "cord.toml").read_text() == PLAN
    found = json.loads(capsys.readouterr().out)
    assert (found["choice"], found["variant"], found["tried"]) == ({}, None, 1)
    assert found["unlike"] == [{'remote."work".callstyle': '"sync"'}]  # no plan has that


def test_a_program_that_fails_is_refused(folder, capsys):
    assert run_command(["tune", "main.py"]) == 2
    assert "ends with exit status 1: IndexError" in capsys.readouterr().err


def test_a_program_that_is_never_the_same_is_refused(folder, capsys):
    (folder / "main.py").write_text("import work, os\nprint(os.urandom(8), work.nap(1))\n")
    assert run_command(["tune", "main.py"]) == 2
    assert "is not the same in plain Python and under the plan" in capsys.readouterr().err


@pytest.mark.parametrize("budget", ["", "0", "2x", "-1s", "soon"])
def test_a_budget_that_is_none_is_refused(folder, capsys, budget):
    assert run_command(["tune", f"--budget={budget}", "main.py"]) == 2
    assert f"--budget is {budget}; allowed: a time such as" in capsys.readouterr().err
