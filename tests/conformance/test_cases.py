"""Programs of ``tests/semantics/cases``, and the examples, show on any engine what they show plain.

Some of each folder of cases: every way in which something travels, ends or fails. All examples.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program_case import Case, Observed, clean_environment, contents, read_cases, run_plain
from program_case import run_script as run_under
from side_by_side import assert_same

from engines import Engine

TESTS = Path(__file__).resolve().parents[1]
EXAMPLES = TESTS.parent / "examples"
FOLDERS = (
    *("ahead/", "exceptions/", "forwarding/", "impure/", "independent/", "interrupts/"),
    *("nesting/", "output/", "policies/", "program/", "script/", "threads/", "values/", "world/"),
)
# Whatever is left out: what has been wrong between nodes before.
ALWAYS = ("modules_named", "migration_full", "migration_line", "memory_given_back")
SMALL = {
    "dna/search.py": ["--queries", "1"],
    "table1/picture.py": ["--rows", "12", "--width", "12", "--limit", "40"],
    "mandelbrot/main.py": ["--size", "24", "--limit", "40"],
    "matmul/main.py": ["--size", "12"],
    "sort/main.py": ["--count", "300", "--parts", "5"],
    "sort/recursive.py": ["--count", "300", "--depth", "3"],
    "pipeline/main.py": ["--customers", "3"],
}


def _cases(part: int) -> list[Case]:
    """One of so many of them."""
    cases = [
        case for case in read_cases(TESTS / "semantics" / "cases") if case.name.startswith(FOLDERS)
    ]
    return [
        case
        for number, case in enumerate(cases)
        if number % part == 0 or any(name in case.name for name in ALWAYS)
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Without a word about engines there are few."""
    if "case" in metafunc.fixturenames:
        cases = _cases(4 if metafunc.config.getoption("engine") else 40)
        metafunc.parametrize("case", cases, ids=lambda case: case.name)
    if "example" in metafunc.fixturenames:
        everything = metafunc.config.getoption("engine")
        metafunc.parametrize("example", SMALL if everything else ["pipeline/main.py"])


def _words(engine: Engine) -> list[str]:
    return ["-m", "cord", "run", *engine.settings]


@pytest.fixture
def surroundings(engine: Engine) -> dict[str, str]:
    return dict(engine.environment)


def test_a_case(case: Case, engine: Engine, surroundings: dict[str, str], tmp_path: Path) -> None:
    plain, cord = tmp_path / "plain", tmp_path / "cords"  # paths of the same length
    case.write(plain)
    case.write(cord)
    shown = run_under(case, cord, _words(engine), surroundings)
    assert_same(case, run_plain(case, plain), _without_waiting(shown))


def _without_waiting(shown: Observed) -> Observed:
    lines = shown.stderr.splitlines(keepends=True)
    kept = "".join(line for line in lines if not line.startswith("cord: waiting for "))
    return Observed(shown.stdout, kept, shown.code, shown.written)


def test_an_example(
    example: str, engine: Engine, surroundings: dict[str, str], tmp_path: Path
) -> None:
    shown = []
    for folder, words in ((tmp_path / "plain", []), (tmp_path / "cords", _words(engine))):
        left_out = shutil.ignore_patterns("__pycache__", "*.png")
        shutil.copytree((EXAMPLES / example).parent, folder, ignore=left_out)
        done = subprocess.run(
            [sys.executable, *words, Path(example).name, *SMALL[example]],
            cwd=folder,
            env=clean_environment(surroundings),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shown.append((done.stdout, contents(folder)))
    assert shown[0] == shown[1]
