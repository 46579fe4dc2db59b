"""Programs of a corpus, each run plain and in another way: started early, and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from program_case import Case, Observed, run_plain

TRACEBACK = "Traceback (most recent call last):"

Runs = dict[str, Future[tuple[Observed, Observed]]]


def run_selected(
    request: pytest.FixtureRequest, module: str, root: Path, run: Callable[[Case, Path], Observed]
) -> Iterator[Runs]:
    """Both runs of every case that tests of ``module`` are selected for, a few at a time."""
    selected = [
        item.callspec.params["case"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.module.__name__ == module
    ]

    def run_both(case: Case) -> tuple[Observed, Observed]:
        # in folders whose paths have the same length
        plain, cord = root / case.name / "plain", root / case.name / "cords"
        case.write(plain)
        case.write(cord)
        return run_plain(case, plain), run(case, cord)

    with ThreadPoolExecutor(max_workers=3) as pool:
        yield {case.name: pool.submit(run_both, case) for case in selected}
        pool.shutdown(cancel_futures=True)


def assert_same(case: Case, plain: Observed, cord: Observed) -> None:
    """Nothing that a user sees of the program differs."""
    assert cord.stdout == plain.stdout, f"stdout differs ({case.about})\n{cord.stderr}"
    assert cord.code == plain.code, f"exit code differs ({case.about})\n{cord.stderr}"
    assert cord.last_line == plain.last_line, case.about
    assert cord.written == plain.written, f"written files differ ({case.about})"
    if TRACEBACK not in plain.stderr or case.options.get("stderr") == "whole":
        assert cord.stderr_lines == plain.stderr_lines, f"stderr differs ({case.about})"
