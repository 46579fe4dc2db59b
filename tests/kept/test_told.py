"""What speaks against `pure = true` is told in each run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from kept_lab import Program, Ran

from cord.plan import read_plan
from cord.plan.program import script
from cord.tools.check import count_against_purity

Make = Callable[..., Program]

PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'
COUNTS = "n = 0\ndef f(x):\n    global n\n    n += 1\n    return x\n"
MAIN = "import work\nprint(sum(work.f(x) for x in range(9)))\n"
LINE = "cord: 1 warning speaks against pure = true; to see: cord check main.py\n"


# What the run tells of calls that have left something; how many they were is a matter of time.
MADE = re.compile(r"cord: work\.f changes work\.n \(work\.py:2\): .* made in the program; .*\n")


def told(ran: Ran) -> str:
    """What a run shows on stderr, but for the calls that the program had to make."""
    return MADE.sub("", ran.stderr)


def first_told(made: Program, *words: str) -> str:
    """The first that is told: by a later run, if the processors were busy during the first ones."""
    return next((found for _ in range(10) if (found := told(made.run(*words)))), "")


def test_it_is_told_in_each_run(program: Make) -> None:
    made = program(main=MAIN, work=COUNTS, plan=PLAN)
    assert first_told(made) == LINE
    assert [told(made.run()) for _ in range(2)] == [LINE, LINE]
    made.write(work=COUNTS.replace("n += 1", "n += 2"))
    assert first_told(made) == LINE
    assert told(made.run()) == LINE
    made.write(work="SCALE = 1\ndef f(x):\n    return x * SCALE\n")
    assert [told(made.run()) for _ in range(3)] == ["", "", ""]
    # what the program sets calls see
    made.write(main=f"import work\nwork.SCALE = 3\n{MAIN}")
    assert [told(made.run()) for _ in range(3)] == ["", "", ""]


@pytest.mark.parametrize(
    "work",
    [
        "def f(x):\n    print(x)\n    return x\n",
        "import functools\n@functools.cache\ndef f(x):\n    return x * x\n",
        "import unknown_to_cord_too\ndef f(x):\n    return unknown_to_cord_too.f(x)\n",
        "def f(x):\n    x = [x]\n    x.append(1)\n    return x[0]\n",
        "ROWS = [1]\ndef f(x):\n    return ROWS[0] + x\ndef g():\n    return ROWS\n",
    ],
    ids=["prints", "a cache that does not show", "what it calls is unknown", "pure", "gives away"],
)
def test_what_is_pure_or_cannot_be_told_is_not_told(program: Make, work: str) -> None:
    made = program(main=MAIN, work=work, plan=PLAN, unknown_to_cord_too="f = [abs][0]\n")
    assert [told(made.run()) for _ in range(2)] == ["", ""]


def test_the_plan_can_have_it_not_told(program: Make) -> None:
    made = program(main=MAIN, work=COUNTS, plan=f"{PLAN}[report]\nwarn = false\n")
    assert [told(made.run()) for _ in range(2)] == ["", ""]


def test_the_last_line_of_stderr_is_the_programs_own(program: Make) -> None:
    made = program(main=f"{MAIN}raise ValueError(1)\n", work=COUNTS, plan=PLAN)
    own = told(made.run())
    assert own.startswith("Traceback")
    later = [told(made.run()) for _ in range(6)]
    assert set(later) <= {LINE + own, own}
    assert later[-1] == LINE + own


def test_an_exit_code_is_no_exception(program: Make) -> None:
    made = program(main=f"{MAIN}raise SystemExit(3)\n", work=COUNTS, plan=PLAN)
    first = made.run()
    assert (first.code, told(first)) == (3, LINE)


def test_the_program_may_change_its_folder(program: Make) -> None:
    made = program(main=f"import os\n{MAIN}os.chdir('/')\n", work=COUNTS, plan=PLAN)
    assert first_told(made) == LINE


def test_it_names_the_options_of_the_run(program: Make) -> None:
    made = program(main=MAIN, work=COUNTS, plan=PLAN)
    said = first_told(made, "--set", "remote.work.replicas=1", "./main.py")
    assert said.endswith("cord check --set remote.work.replicas=1 ./main.py\n")


def test_nothing_is_told_where_nothing_can_be_kept(program: Make) -> None:
    made = program(main=MAIN, work=COUNTS, plan=PLAN)
    assert told(made.run(flags=("-B",))) == ""
    assert made.kept() == []


def test_what_the_program_puts_in_the_place_of_stderr_is_its_own(program: Make) -> None:
    main = f"import os\nos.dup2(os.open('own', os.O_WRONLY | os.O_CREAT), 2)\n{MAIN}"
    made = program(main=main, work=COUNTS, plan=PLAN)
    assert told(made.run()) == ""
    assert (made.folder / "own").read_text() == ""


def test_what_is_too_large_to_be_followed_is_not_counted(
    program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(main=MAIN, work=COUNTS + "import other\n", plan=PLAN, other="X = 1\n")
    monkeypatch.chdir(made.folder)
    one = script("main.py")
    plan = read_plan(None, [], one)
    assert count_against_purity(plan, one, 10_000, 10_000) == 1
    assert count_against_purity(plan, one, 10, 10_000) == 0
    assert count_against_purity(plan, one, 10_000, 10) == 0
