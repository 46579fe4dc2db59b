"""Programs of ``cases/``, a fifth each day, show under ``cord run`` what plain Python shows.

Compared are stdout, exit code, the files written, and stderr: all of it when the program ends
well, its last line when it ends with a traceback (every line where the case asks for it).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord
from side_by_side import assert_same_as_plain

from sampling import sample

CASES = sample(read_cases(Path(__file__).parent / "cases"), 5, "same as plain")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_as_plain(case: Case, tmp_path: Path, plain_runs: Path) -> None:
    assert_same_as_plain(case, tmp_path, plain_runs, run_cord)
