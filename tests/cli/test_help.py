"""`cord --help`, `cord COMMAND --help`, `cord --version`."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import cord
from cord import __main__ as entry
from cord.cli.arguments import parse
from cord.cli.commands import COMMANDS
from cord.cli.main import run_command

RUN_HELP = """\
Run a program, its remote modules in replicas.

usage: cord run [OPTIONS] PROGRAM [ARGS...]

options:
  -c, --config FILE  the plan; without it, cord.toml beside PROGRAM, else in the current folder
  --set KEY=VALUE    a setting that goes before the plan's, such as remote.compare.replicas=8
  --variant NAME     the plan as [variants.NAME] of the same file changes it
  --repeatable NAME  without a plan: calls of this function may be early, again, in vain
  --auto off         an error if there is no plan, as other commands give
  --live             show on stderr how far the run is; SIGUSR1 prints its state there
  --stats[=FILE]     tell of its calls in a table when it has ended, or write that to FILE as JSON
  --trace FILE       write down what happens, for cord report and others
  -m MODULE          the program is this module, as for python -m; what follows is its own
  -h, --help         print this help

What follows PROGRAM belongs to the program. So do stdout and the exit code; a wrong
command line or plan ends with 2 before the program starts.

examples:
  cord run search.py                                  with the cord.toml beside it, if there is one
  cord run search.py --limit 10                       --limit 10 is the program's own
  cord run -c wide.toml search.py                     with another plan
  cord run --set remote.compare.replicas=8 search.py  with one setting changed
  cord run --stats search.py                          and at the end a table of its calls
  cord run -m package.tool                            for python -m package.tool
"""
ROOT = Path(__file__).resolve().parents[2]


def test_help_of_a_command(capsys):
    assert run_command(["run", "--help"]) == 0
    assert capsys.readouterr() == (RUN_HELP, "")


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_general_help_names_every_command(words, capsys):
    assert run_command(words) == 0
    out, err = capsys.readouterr()
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert err == ""


@pytest.mark.parametrize("words", [["--help"], *([name, "-h"] for name in COMMANDS)])
def test_help_fits_a_terminal(words, capsys):
    run_command(words)
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 100


def test_version(capsys):
    assert run_command(["--version"]) == 0
    first, commit, native, python = capsys.readouterr().out.splitlines()
    assert first == f"cord {version('cord-run')}" == f"cord {cord.__version__}"
    assert commit.startswith("commit  ")
    assert native.startswith(f"native  {platform.machine()}-unknown-linux-gnu, ")
    assert python == f"Python  CPython {platform.python_version()}, {sys.executable}"


def test_the_version_stands_in_one_place_besides() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text()
    assert f'version: "{cord.__version__}" #' in recipe


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_the_help_are_commands(name: str) -> None:
    for line, _ in COMMANDS[name].examples:
        words = shlex.split(line.removeprefix('eval "$(').removesuffix(')"').partition(" > ")[0])
        assert words[0] == "cord"
        assert parse(words[1:]).command is COMMANDS[words[1]]


def test_the_installed_command_is_the_same(tmp_path: Path):
    script = Path(sys.executable).with_name("cord")
    if not os.access(script, os.X_OK):
        pytest.skip("the command is not installed beside this Python")
    result = subprocess.run(
        [script, "run", "-h"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert result.stdout == RUN_HELP


def test_an_old_python_is_refused_in_a_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 2))
    assert entry.main() == 2
    assert capsys.readouterr().err == (
        "cord: Python 3.11 or newer is needed, and this is Python 3.10\n"
    )


def test_another_system_is_refused_in_a_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert entry.main() == 2
    assert capsys.readouterr().err == "cord: Linux is needed, and this is darwin\n"
