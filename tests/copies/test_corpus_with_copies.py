"""Each program of the corpus shows the same with a copy at every call as under plain Python.

Compared is what ``tests/semantics/test_same_as_plain.py`` compares.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from program_case import Case, Observed, read_cases, run_script
from side_by_side import assert_same_as_plain

from sampling import sample

HERE = Path(__file__).parent
CASES = read_cases(HERE.parent / "semantics" / "cases")
FORCED = [str(HERE / "told_run.py"), "forced", os.devnull]


def run_forced(case: Case, folder: Path) -> Observed:
    return run_script(case, folder, FORCED)


@pytest.mark.parametrize("case", sample(CASES, 12, of="copies"), ids=lambda case: case.name)
def test_same_as_plain(case: Case, tmp_path: Path, plain_runs: Path) -> None:
    assert_same_as_plain(case, tmp_path, plain_runs, run_forced)
