"""``cord doctor`` says in a line each what the machine lets Cord do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cord.cli.main import run_command

ABOUT = [
    *(
        "Python",
        "libraries",
        "cores",
        "load",
        "memory",
        "limits",
        "shared memory",
        "written pages",
        "copies",
    ),
    "kept from runs",
    "engines",
]
BEFORE = """\
import os, sys
{before}
os.execv(sys.executable, [sys.executable, "-m", "cord", "doctor"])
"""


def doctor(
    folder: Path, before: str, **environment: str
) -> tuple[int, dict[str, tuple[bool, str]]]:
    """Exit code, and by what it is about: whether it holds Cord up, and what is said."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run(
        [sys.executable, "-c", BEFORE.format(before=before)],
        cwd=folder,
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    lines = [(line[0] == "!", line[2:18].rstrip(), line[19:]) for line in run.stdout.splitlines()]
    return run.returncode, {about: (holds_up, text) for holds_up, about, text in lines}


def test_all_is_told_and_fits_a_terminal(tmp_path: Path) -> None:
    code, told = doctor(tmp_path, "")
    assert code == 0
    assert list(told) == ABOUT
    assert all(text for _, text in told.values())
    assert told["kept from runs"] == (
        False,
        "translations, beside Python's bytecode: the second run starts sooner",
    )


def test_one_core(tmp_path: Path) -> None:
    _, told = doctor(tmp_path, "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})")
    assert told["cores"][0] and told["cores"][1].startswith(
        "1 may be used (the affinity allows 1 of"
    )
    assert told["copies"][0] and "there is one core only" in told["copies"][1]


def test_nothing_can_be_kept(tmp_path: Path) -> None:
    _, told = doctor(tmp_path, "", PYTHONDONTWRITEBYTECODE="1")
    assert told["kept from runs"][0]
    assert "PYTHONDONTWRITEBYTECODE" in told["kept from runs"][1]


def test_it_takes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "main.py"]) == 2
    assert capsys.readouterr().err == (
        "cord: main.py stands after cord doctor, which takes nothing\n\n"
        "hint: usage: cord doctor [OPTIONS]\n"
    )


def test_few_open_files(tmp_path: Path) -> None:
    _, told = doctor(
        tmp_path, "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))"
    )
    assert told["limits"][0] and "99 open files: few replicas can be started" in told["limits"][1]


def test_engines_that_are_not_there(tmp_path: Path) -> None:
    _, told = doctor(tmp_path, "os.environ['PATH'] = ''")
    holds_up, text = told["engines"]
    assert not holds_up
    assert text.startswith("local") and "ssh, slurm, mpi" in text
