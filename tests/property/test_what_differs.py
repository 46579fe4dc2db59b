"""The comparison sees what it should, and shrinking keeps what matters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from program_case import Case, Observed
from shrinking import shrink
from warm_runs import Pair, difference, warm_pair

PLAN = "[remote.work]\nreplicas = 2\ncallstyle = 'async'\npure = true\n"


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with warm_pair() as pair:
        yield pair


def case(main: str, work: str = "def f(x): return x + 1\n") -> Case:
    return Case("", "", {}, {"work.py": work, "main.py": main, "cord.toml": PLAN})


def seen(program: Case, pair: Pair, limit: float = 20.0) -> str:
    runs = pair.run(program, limit)
    assert runs is not None
    return difference(*runs)


def test_equal_runs(pair: Pair) -> None:
    main = "import sys, work\nprint(work.f(1))\nopen('new', 'w').write('x')\nsys.exit(3)\n"
    plain, cord = pair.run(case(main), 20.0) or (None, None)
    assert plain == cord == Observed(b"2\n", "", 3, {"new": b"x"})


# A program that breaks the contract: its calls depend on one another, and its plan denies it.
INDEPENDENT = "[remote.work]\nreplicas = 1\nindependent = true\n"
KEEPS = "kept = []\ndef f(x):\n    kept.append(x)\n    return x\n"


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("print(kept)", "stdout differs: '[1]' became '[]'"),
        ("sys.exit(len(kept))", "exit code 1 became 0"),
        ("sys.exit(str(kept))", "last line of stderr '[1]' became '[]'"),
        ("print(kept, file=sys.stderr)", "last line of stderr '[1]' became '[]'"),
        ("open('new', 'w').write(str(kept))", "new differs"),
        ("import time\nif not kept: time.sleep(60)", "hangs"),
    ],
)
def test_what_can_be_seen(last: str, expected: str, pair: Pair) -> None:
    # named so that its text does not show what it looks at
    main = f"import sys, work\nkept = vars(work)['ke' 'pt']\nwork.f(1)\n{last}\n"
    program = case(main, KEEPS)
    program.files["cord.toml"] = INDEPENDENT
    assert seen(program, pair, limit=3.0) == expected


def test_plain_runs_use_nothing_of_cord(pair: Pair) -> None:
    main = "import sys, work\nprint(sorted(name for name in sys.modules if 'cord' in name))\n"
    plain, cord = pair.run(case(main), 20.0) or (None, None)
    assert plain is not None and plain.stdout == b"[]\n"
    assert cord is not None and b"cord.runtime" in cord.stdout


def test_processes_that_are_left_behind(pair: Pair) -> None:
    main = """\
import os, sys, time
if any("cord" in name for name in sys.modules) and not os.fork():
    os.setsid()
    time.sleep(60)
"""
    assert seen(case(main), pair, limit=3.0) == "exit code 0 became with processes left: 1"


def test_shrinking_keeps_what_fails() -> None:
    main = """\
def helper(x):
    for i in range(3):
        if x > i:
            print(i)
    return x
try:
    y = helper(2) + len([work.f(i) for i in range(4)])
finally:
    print(y)
"""
    small = shrink(case(main), lambda one: "work.f" in one.files["main.py"])
    assert small.files["main.py"] in ("work.f\n", "y = work.f\n")
