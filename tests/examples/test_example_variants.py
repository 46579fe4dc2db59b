"""Examples write the same under `python` and variants of their plans; a third of these each day."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from program_case import clean_environment, contents

from cord.cli.main import run_command
from needs import skip_without_what_it_uses
from sampling import sample

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = {
    "agents/main.py": ["--topics", "2", "--depth", "1", "--chapters", "3"],
    "report/main.py": ["--rows", "300"],
    "images/main.py": ["--count", "3", "--width", "80"],
    "montecarlo/main.py": ["--precision", "0.1", "--batch", "200"],
    "crawler/main.py": ["--limit", "9"],
    "downloads/main.py": ["--count", "6"],
    "mandelbrot/main.py": ["--size", "24", "--limit", "40"],
    "matmul/main.py": ["--size", "12"],
    "sort/main.py": ["--count", "300", "--parts", "5"],
    "sort/recursive.py": ["--count", "300", "--depth", "3"],
    "pipeline/main.py": ["--customers", "3"],
}
# Nobody can read what services, pandas and Pillow do: it is the plan that says pure or independent.
BY_WORD = (
    *("agents/main.py", "report/main.py", "images/main.py", "crawler/main.py"),
    "downloads/main.py",
)
MADE = ("__pycache__", "*.png", "photos", "gallery", "sales", "files")


@dataclass(frozen=True)
class Shown:
    """What a run prints, how it ends, and what its folder holds afterwards."""

    stdout: bytes
    stderr: bytes
    status: int
    files: dict[str, bytes]


def run(program: str, folder: Path, *command: str, written: str = "") -> Shown:
    """Run a small form of an example, or of it as `written` has it, in a copy of its folder."""
    source, name = EXAMPLES / program, written or Path(program).name
    shutil.copytree(source.parent, folder, ignore=shutil.ignore_patterns(*MADE))
    done = subprocess.run(
        [sys.executable, *command, name, *SMALL[program]],
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Shown(done.stdout, done.stderr, done.returncode, contents(folder))


def plans(program: str) -> list[str]:
    """The variants of an example's plan, and "" for the plan without one."""
    with (EXAMPLES / program).with_name("cord.toml").open("rb") as file:
        return ["", *tomllib.load(file).get("variants", {})]


@pytest.fixture(scope="session")
def shown_plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Shown]:
    folder = tmp_path_factory.mktemp("plain")
    return {program: run(program, folder / program) for program in SMALL}


VARIANTS = [(program, variant) for program in SMALL for variant in plans(program)]


@pytest.mark.parametrize(("program", "variant"), sample(VARIANTS, 3, of="variants"))
def test_all_variants_are_alike(
    program: str, variant: str, shown_plain: dict[str, Shown], tmp_path: Path
) -> None:
    choice = ("--variant", variant) if variant else ()
    under_cord = run(program, tmp_path / "copy", "-m", "cord", "run", *choice)
    assert under_cord == shown_plain[program]
    assert (under_cord.status, under_cord.stderr) == (0, b"")


@pytest.mark.parametrize("program", ["agents/main.py", "images/main.py"])
def test_what_is_written_by_hand_does_the_same(
    program: str, shown_plain: dict[str, Shown], tmp_path: Path
) -> None:
    skip_without_what_it_uses((EXAMPLES / program).with_name("by_hand.py").read_text())
    by_hand = run(program, tmp_path / "copy", written="by_hand.py")
    assert by_hand == shown_plain[program]


@pytest.mark.parametrize("program", SMALL)
def test_check_has_nothing_against_it(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["check", str(EXAMPLES / program)]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[-1].endswith("cord.toml: no errors, no warnings")
    served = [line for line in said.splitlines() if " is remote, async, " in line]
    assert served
    if program in BY_WORD:
        assert all("which is not known" in line or "repeatable" in line for line in served)
    else:
        assert all(line.endswith("surely pure") for line in served)


@pytest.mark.parametrize("program", SMALL)
def test_every_remote_call_runs_ahead(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["explain", str(EXAMPLES / program)]) == 0
    said = capsys.readouterr().out
    in_place = [line for line in said.splitlines() if line.startswith("  in place")]
    assert all("the program enters" in line for line in in_place)
    assert said.count("\n  ahead") >= 1
