"""In the programs of ``beside/`` local work goes on beside calls: their values are received late.

A call waits until it sees the program use the processor, and gives something else than in the plain
run if it does not. So nothing hangs on how fast the machine is.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord, run_plain
from side_by_side import assert_same

CASES = read_cases(Path(__file__).parent / "beside")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_work_beside_calls(case: Case, tmp_path: Path) -> None:
    runs = []
    for name, run in (("plain", run_plain), ("cord", run_cord)):
        folder = tmp_path / name
        folder.mkdir()
        case.write(folder)
        runs.append(run(case, folder))
    assert_same(case, *runs)
