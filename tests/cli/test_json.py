"""What `cord check --json` and `cord explain --json` print, key by key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cord.cli.main import run_command

DOCS = Path(__file__).parents[2] / "docs" / "json.md"
WORK = """\
count = 0
def f(x):
    global count
    count += 1
    return x
def g(x):
    return x
"""
MAIN = "import work\nfor x in range(3):\n    print(work.f(work.g(x)))\n"
PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


@pytest.fixture
def told(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Any:
    """What a command prints about a small program, as data, and how it ends."""
    for name, text in {"main.py": MAIN, "work.py": WORK, "cord.toml": PLAN}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[Any, int]:
        code = run_command([*words, "main.py"])
        return json.loads(capsys.readouterr().out), code

    return run


def documented(title: str) -> set[str]:
    """The keys in the first column of a section's tables."""
    section = DOCS.read_text().partition(f"## `{title}`\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def test_check(told: Any) -> None:
    found, code = told("check", "--json")
    assert code == 0
    assert set(found) == documented("cord check --json")
    assert (found["errors"], found["warnings"]) == (0, 1)
    verdicts = {one["function"]: one["verdict"] for one in found["functions"]}
    assert verdicts == {"f": "impure", "g": "pure"}
    assert found["functions"][0]["place"] == "work.py:2"
    (warning,) = (one for one in found["messages"] if one["level"] == "warning")
    assert warning["place"] == "work.py:4"
    assert "changes the global count" in warning["text"] or "writes" in warning["text"]


def test_explain(told: Any) -> None:
    found, code = told("explain", "--json", "--source")
    assert code == 0
    assert set(found) == documented("cord explain --json")
    assert {one["call"] for one in found["calls"]} == {"work.f(work.g(x))", "work.g(x)"}
    assert {one["place"] for one in found["calls"]} == {"main.py:3"}
    assert next(iter(found["translated"])).endswith("main.py")


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A command that runs the program, as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cord", *words, "main.py"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def test_verify(tmp_path: Path, told: Any) -> None:
    run = cord(tmp_path, "verify", "--json")
    found = json.loads(run.stdout)
    assert run.returncode == 1
    assert set(found) == documented("cord verify --json")
    assert (found["same"], found["calls"], found["variant"], found["rules"]) == (True, 6, None, [])
    (finding,) = found["findings"]
    assert finding["function"] == "work.f"
    section = DOCS.read_text().partition("## `cord verify --json`\n")[2].partition("\n## ")[0]
    assert [key for key in finding if f"`{key}`" not in section] == []


def test_compare(tmp_path: Path, told: Any) -> None:
    run = cord(tmp_path, "compare", "--json", "--repeat=2")
    found = json.loads(run.stdout)
    assert run.returncode == 0
    assert set(found) | set(found["variants"][0]) == documented("cord compare --json") | {"name"}
    assert set(found["plain"]) == set(found["variants"][0]) - {"name"}
    assert len(found["variants"][0]["interval"]) == 2


def test_run(tmp_path: Path, told: Any) -> None:
    assert cord(tmp_path, "run", "--stats=told.json").returncode == 0
    found = json.loads((tmp_path / "told.json").read_text())
    assert set(found) == documented("cord run --stats")


def test_doctor(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "cord", "doctor", "--json"]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    found = json.loads(run.stdout)
    assert found["works"] is (run.returncode == 0)
    assert set(found) == documented("cord doctor --json")
    assert set(found["findings"][0]) == {"about", "text", "holds_up", "is_needed"}


def test_explain_of_a_run(tmp_path: Path, told: Any) -> None:
    run = cord(tmp_path, "explain", "--run", "--json")
    assert (run.returncode, run.stdout) == (0, b"0\n1\n2\n")
    found = json.loads(run.stderr.splitlines()[-1])
    assert set(found) == documented("cord explain --run --json")
    calls = {one["call"]: one for one in found["calls"]}
    assert {one["calls"] for one in calls.values()} == {3}
    for one in calls.values():
        made = ("by_slice", "by_copy", "just_then", "in_place", "not_sent")
        assert sum(one[key] for key in made) == 3


def test_report(tmp_path: Path, told: Any) -> None:
    assert cord(tmp_path, "run", "--trace", "run.trace").returncode == 0
    words = [sys.executable, "-m", "cord", "report", "--json", "run.trace"]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    found = json.loads(run.stdout)
    assert documented("cord report --json") <= set(found)
    assert set(found["gains"]) == {"shorter", "more", "left_out", "why_not"}
    assert found["numbers"]["nodes"] == []


def test_init(tmp_path: Path, told: Any) -> None:
    (tmp_path / "cord.toml").unlink()
    run = cord(tmp_path, "init", "--json")
    found = json.loads(run.stdout)
    assert set(found) == documented("cord init --json")
    assert (run.returncode, found["outcome"], found["plan"]) == (1, "refused", None)
    # which of several reasons it is, hangs on what else the machine does
    assert isinstance(found["reason"], str) and found["reason"].endswith(".")
