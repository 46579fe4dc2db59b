"""Each program of ``cases/`` shows the same under ``cord run`` as under plain Python.

Compared are stdout, exit code, the files written, and stderr: all of it when the program ends
well, its last line when it ends with a traceback (every line where the case asks for it).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord
from side_by_side import Runs, assert_same, run_selected

CASES = read_cases(Path(__file__).parent / "cases")


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    yield from run_selected(request, __name__, tmp_path_factory.mktemp("cases"), run_cord)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_as_plain(case: Case, runs: Runs) -> None:
    assert_same(case, *runs[case.name].result())
