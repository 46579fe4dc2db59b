"""Each program of the corpus shows the same with a copy at every call as under plain Python.

Compared is what ``tests/semantics/test_same_as_plain.py`` compares.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_case import Case, Observed, read_cases, run_script
from side_by_side import Runs, assert_same, run_selected

HERE = Path(__file__).parent
CASES = read_cases(HERE.parent / "semantics" / "cases")
FORCED = [str(HERE / "told_run.py"), "forced", os.devnull]


def run_forced(case: Case, folder: Path) -> Observed:
    return run_script(case, folder, FORCED)


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    yield from run_selected(request, __name__, tmp_path_factory.mktemp("copied"), run_forced)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_as_plain(case: Case, runs: Runs) -> None:
    assert_same(case, *runs[case.name].result())
