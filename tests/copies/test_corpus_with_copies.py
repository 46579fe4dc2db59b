"""Each program of the corpus shows the same with a copy at every call as under plain Python.

Compared is what ``tests/semantics/test_same_as_plain.py`` compares.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from program_case import Case, Observed, read_cases, run_plain, run_script

HERE = Path(__file__).parent
CASES = read_cases(HERE.parent / "semantics" / "cases")
FORCED = [str(HERE / "told_run.py"), "forced", os.devnull]
TRACEBACK = "Traceback (most recent call last):"

Runs = dict[str, Future[tuple[Observed, Observed]]]


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    """Both runs of every selected case, started early and a few at a time."""
    root = tmp_path_factory.mktemp("copied")
    selected = [
        item.callspec.params["case"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and "runs" in item.fixturenames
    ]
    with ThreadPoolExecutor(max_workers=3) as pool:
        yield {case.name: pool.submit(run_both, case, root / case.name) for case in selected}
        pool.shutdown(cancel_futures=True)


def run_both(case: Case, folder: Path) -> tuple[Observed, Observed]:
    """Run ``case`` plain and with copies, in folders whose paths have the same length."""
    plain, cord = folder / "plain", folder / "cords"
    case.write(plain)
    case.write(cord)
    return run_plain(case, plain), run_script(case, cord, FORCED)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_as_plain(case: Case, runs: Runs) -> None:
    plain, cord = runs[case.name].result()
    assert cord.stdout == plain.stdout, f"stdout differs ({case.about})\n{cord.stderr}"
    assert cord.code == plain.code, f"exit code differs ({case.about})\n{cord.stderr}"
    assert cord.last_line == plain.last_line, case.about
    assert cord.written == plain.written, f"written files differ ({case.about})"
    if TRACEBACK not in plain.stderr or case.options.get("stderr") == "whole":
        assert cord.stderr_lines == plain.stderr_lines, f"stderr differs ({case.about})"
