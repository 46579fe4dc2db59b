"""Programs of ``cases/`` show the same where their replicas live on nodes, served by two agents.

Some of each folder: every way in which something travels, ends or fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from program_case import Case, Observed, read_cases, run_script
from side_by_side import Runs, assert_same, run_selected

FOLDERS = (
    *("ahead/", "exceptions/", "forwarding/", "impure/", "independent/", "interrupts/"),
    *("nesting/", "output/", "policies/", "program/", "script/", "values/", "world/"),
)
ALWAYS = ("modules_named", "migration_full", "migration_line", "memory_given_back")
CASES = [
    case
    for number, case in enumerate(read_cases(Path(__file__).parent / "cases"))
    if case.name.startswith(FOLDERS)
    and (number % 4 == 0 or any(name in case.name for name in ALWAYS))
]
AGENTS = (
    'engine.kind="command"',
    "engine.nodes=2",
    "engine.launch=\"sh -c '{agent} & {agent} & wait'\"",
)


def run_on_nodes(case: Case, folder: Path) -> Observed:
    settings = [word for setting in AGENTS for word in ("--set", setting)]
    return run_script(case, folder, ["-m", "cord", "run", *settings])


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    yield from run_selected(request, __name__, tmp_path_factory.mktemp("nodes"), run_on_nodes)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_on_nodes(case: Case, runs: Runs) -> None:
    assert_same(case, *runs[case.name].result())
