"""The calls of the programs in ``parallel/`` run beside each other, though no slice sees them.

Judged as in ``tests/semantics/test_overlap.py``: by how many calls ran at one time.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord, run_plain, run_script
from spans import lay_out, most_at_once, read_spans

from sampling import sample

HERE = Path(__file__).parent
CASES = read_cases(HERE / "parallel")
GUESSING = read_cases(HERE / "guessing")
PLANNED = [str(HERE / "told_run.py"), "planned"]
INLINED = [str(HERE / "told_run.py"), "inlined"]
PLAN = """\
[remote.work]
replicas = 8
callstyle = "async"
repeatable = true
"""
# Two for each replica may be out when a loop is left.
MOST_AT_LOOPS_ENDS = 16
COPIES = """
[run]
copies = true
speculate = "{}"
"""


def run_both(
    case: Case, folder: Path, speculate: str, nap: float = 0.03
) -> tuple[int, int, int, str]:
    """Compare ``case`` with plain Python; its calls there, its calls here, how many at one time."""
    program, environment = lay_out(case, folder / "cord", PLAN + COPIES.format(speculate), nap=nap)
    told = folder / "told.json"
    cord = run_script(case, program, [*PLANNED, str(told)], environment)
    spans, about = read_spans(folder / "cord" / "spans"), told.read_text()
    program, environment = lay_out(case, folder / "plain", PLAN, nap=0.0)
    plain = run_plain(case, program, environment)
    asked_for = len(read_spans(folder / "plain" / "spans"))

    assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
    assert cord.written == plain.written
    return asked_for, len(spans), most_at_once(spans), about


def assert_overlap(case: Case, speculate: str, folder: Path, in_vain: float) -> None:
    """As many calls of ``case`` run at one time as it says, and few more than the program makes.

    Copies run only where a core is idle, so others' load delays them: calls wait longer then.
    """
    for nap in (0.03, 0.15):
        asked_for, made, at_once, about = run_both(case, folder / str(nap), speculate, nap)
        most = asked_for * (1 + in_vain) + MOST_AT_LOOPS_ENDS
        if at_once >= int(case.options["overlap"]) and asked_for <= made <= most:
            return
    raise AssertionError((asked_for, made, at_once, about))


WITHOUT = """
[run]
copies = false
"""


@pytest.mark.parametrize("speculate", ["exact", "likely"])
@pytest.mark.parametrize(
    "case", sample(CASES, 8, of="copies that overlap"), ids=lambda case: case.name
)
def test_calls_overlap(case: Case, speculate: str, tmp_path: Path) -> None:
    # One copy that has gone elsewhere than the program may have made its calls in vain.
    assert_overlap(case, speculate, tmp_path, in_vain=0.2)


@pytest.mark.parametrize(
    "case", sample(GUESSING, 2, of="copies that guess"), ids=lambda case: case.name
)
def test_calls_overlap_whose_results_are_used_at_once(case: Case, tmp_path: Path) -> None:
    assert_overlap(case, "likely", tmp_path, in_vain=0.1)


@pytest.mark.parametrize(
    "case", sample(GUESSING, 3, of="copies that do not guess"), ids=lambda case: case.name
)
def test_nothing_is_guessed_if_the_plan_says_so(case: Case, tmp_path: Path) -> None:
    asked_for, made, _, about = run_both(case, tmp_path, "exact")
    assert made == asked_for, about


def test_no_copies_are_made_if_the_plan_says_so(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case.name == "map_of_a_library"]
    _, _, at_once, about = run_both(case, tmp_path, "off")
    assert at_once == 1, about


def test_none_run_ahead_without_the_plan(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case.name == "map_of_a_library"]
    program, environment = lay_out(case, tmp_path, PLAN + WITHOUT, nap=0.005)
    run_cord(case, program, environment)
    assert most_at_once(read_spans(tmp_path / "spans")) == 1


@pytest.mark.parametrize(
    ("plan", "overlap"), [(PLAN + WITHOUT, 1), (PLAN + COPIES.format("likely"), 4)]
)
def test_what_was_not_worth_sending_is_sent_for_copies(
    plan: str, overlap: int, tmp_path: Path
) -> None:
    [case] = [case for case in CASES if case.name == "map_of_a_library"]
    program, environment = lay_out(case, tmp_path, plan, nap=0.03)
    told = tmp_path / "told.json"
    run_script(case, program, [*INLINED, str(told)], environment)
    at_once = most_at_once(read_spans(tmp_path / "spans"))
    assert (at_once == 1) if overlap == 1 else (at_once >= overlap), told.read_text()
