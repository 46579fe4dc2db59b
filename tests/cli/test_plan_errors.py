"""The real command on wrong input: one message on stderr, nothing on stdout, exit code 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PLAN = '[remote.compare]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "search.py").write_text("import compare\nprint(compare.compare(1))\n")
    (tmp_path / "compare.py").write_text("def compare(a):\n    return a\n")
    (tmp_path / "cord.toml").write_text(PLAN)
    return tmp_path


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cord", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_refused(result: subprocess.CompletedProcess[str], said: str) -> None:
    assert (result.stdout, result.stderr, result.returncode) == ("", f"cord: {said}\n", 2)


@pytest.mark.parametrize("command", ["run", "check", "explain"])
def test_a_wrong_plan(folder: Path, command):
    (folder / "cord.toml").write_text("[remote.compare]\nreplicas = 0\n")
    said = (
        "cord.toml:2:12: remote.compare.replicas is 0; allowed: a whole number from 1 to 1024, "
        '"auto", or a list of names'
    )
    assert_refused(cord(folder, command, "search.py"), said)


def test_no_plan(folder: Path):
    (folder / "cord.toml").unlink()
    result = cord(folder, "run", "--auto", "off", "search.py")
    assert result.stderr.startswith(
        f"cord: there is no cord.toml in {folder}\n\nhint: let cord init write one"
    )
    assert (result.stdout, result.returncode) == ("", 2)


def test_a_wrong_setting(folder: Path):
    assert_refused(
        cord(folder, "run", "--set", "remote.compare.callstyle=asnc", "search.py"),
        '--set remote.compare.callstyle=asnc: remote.compare.callstyle is "asnc"; '
        'allowed: "sync", "async" or "async-demand(n)"\n\nhint: did you mean "async"?',
    )


def test_a_program_that_is_not_there(folder: Path):
    assert_refused(
        cord(folder, "run", "serach.py"),
        "the program serach.py cannot be read: No such file or directory\n\n"
        "hint: did you mean search.py?",
    )


def test_a_program_that_is_a_folder(folder: Path):
    assert_refused(
        cord(folder, "run", "."),
        ". is a folder, not a program\n\nhint: name its main file, such as ./compare.py",
    )


def test_a_wrong_command_line(folder: Path):
    assert_refused(
        cord(folder, "run"),
        "PROGRAM is missing after cord run\n\nhint: usage: cord run [OPTIONS] PROGRAM [ARGS...]",
    )


def test_no_arguments_show_the_help_as_an_error(folder: Path):
    result = cord(folder)
    assert "usage: cord COMMAND" in result.stderr
    assert (result.stdout, result.returncode) == ("", 2)


VARIANTS = f"{PLAN}[variants.alone.remote.compare]\nreplicas = 1\n"


@pytest.mark.parametrize("command", ["run", "check", "explain", "verify"])
@pytest.mark.parametrize("name", ["alnoe", ""])
def test_a_variant_that_is_not_there(folder: Path, command: str, name: str):
    (folder / "cord.toml").write_text(VARIANTS)
    near = '\n\nhint: did you mean "alone"?' if name else ""
    assert_refused(
        cord(folder, command, "--variant", name, "search.py"),
        f'cord.toml has no variant "{name}"; it has alone{near}',
    )


def test_a_variant_and_a_setting_before_it(folder: Path):
    (folder / "cord.toml").write_text(VARIANTS)
    checked = cord(folder, "check", "--variant", "alone", "search.py").stdout
    assert "compare is remote, 1 replica\n" in checked
    setting = ("--set", "remote.compare.replicas=3")
    checked = cord(folder, "check", "--variant", "alone", *setting, "search.py").stdout
    assert "compare is remote, 3 replicas\n" in checked
    assert cord(folder, "run", "--variant", "alone", "search.py").stdout == "1\n"
    assert "the same under Cord" in cord(folder, "verify", "--variant", "alone", "search.py").stdout
