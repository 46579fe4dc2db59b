"""A sample of the programs of ``semantics/cases`` shows the same when its results were kept."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from program_case import Case, Observed, read_cases, run_cord

from sampling import sample

CASES = read_cases(Path(__file__).parents[1] / "semantics" / "cases")
SAMPLE = sample(CASES[::8], 4, of="warm runs")


# Said when a module is compiled: once, in plain Python too.
COMPILING = re.compile(r".*: SyntaxWarning: .*\n(  .*\n)?")


def shown(ran: Observed) -> Observed:
    """What was observed, but for the addresses of objects and what is said of a first time."""
    stderr = COMPILING.sub("", ran.stderr)
    return replace(ran, stderr=re.sub("0x[0-9a-f]+", "0x...", stderr))


def run_again(case: Case, folder: Path) -> Observed:
    """Run a case in a folder that has its files, and what was kept, but nothing else."""
    for path in folder.iterdir():
        if path.name == "__pycache__":
            continue
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    case.write(folder)
    return run_cord(case, folder)


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_a_warm_run_shows_what_a_cold_one_does(case: Case, tmp_path: Path) -> None:
    case.write(tmp_path)
    cold = run_cord(case, tmp_path)
    assert shown(run_again(case, tmp_path)) == shown(cold)
