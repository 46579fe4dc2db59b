"""A small part of what `make chaos` plays, always the same; and that its judge is a strict one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from judging import Ran, judge
from schedules import Event, Schedule, make, read, subject_of

from chaos import examine, plain, shrink
from nodes.network import are_permitted

HERE = range(1, 24)
NODES = (24, 40)
CALLS = 40
KILLED = Schedule("noting", (), False, None, False, (Event(0.1, "kill", "replica", 0, None),))
ON_NODES = Schedule("noting", (), False, 1, False, (Event(0.5, "kill", "node", 3, None),))
CATCHING = Schedule("catching", (), False, None, False, KILLED.events)
ADDING = Schedule("adding, catching", (), False, None, False, KILLED.events)
LOSS = "cord: the node node3 is lost: its link was cut and did not come back\n"
RAISED = (
    'Traceback (most recent call last):\n  File "main.py", line 5, in <module>\n'
    "cord.errors.CallMayHaveRun: work.note\n"
)


@pytest.mark.parametrize("part", range(2))
def test_programs_to_which_things_happen_show_what_they_should(part: int) -> None:
    seeds = [seed for seed in HERE if make(seed).on_nodes is None][part::2]
    with ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(lambda seed: examine(make(seed), seed=seed), seeds))
    assert not any(wrong)


@pytest.mark.skipif(not are_permitted(), reason="namespaces are not permitted here")
def test_so_do_programs_whose_nodes_fail() -> None:
    with ThreadPoolExecutor(len(NODES)) as pool:
        wrong = list(pool.map(lambda seed: examine(make(seed), seed=seed), NODES))
    assert not any(wrong)


def test_a_number_says_a_schedule_and_so_does_its_text() -> None:
    assert make(5) == make(5) != make(6)
    assert read(make(5).text()) == make(5)
    kept = [subject_of(make(seed)).effects.value for seed in range(3, 60, 3)]
    assert set(kept) == {"ordered"}, "every third is of a program that keeps what calls leave"


def test_a_schedule_that_goes_wrong_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaos.examine", lambda one, seed: "kill" in str(one) and "it hangs")
    made = next(one for one in map(make, range(1, 99)) if "kill" in str(one) and one.keys)
    small = shrink(made, 1)
    assert len(small.events) == 1
    assert (small.keys, small.copies, small.is_warm) == ((), False, False)


def shown(until: int) -> str:
    return "".join(f"{number}\n" for number in range(until))


def judged(schedule: Schedule, code: int, stdout: str, stderr: str, noted: list[int]) -> list[str]:
    return judge(schedule, plain(subject_of(schedule)), Ran(code, stdout, stderr, noted))


def test_a_loss_that_is_told_is_as_it_should_be() -> None:
    assert plain(subject_of(KILLED)).stdout == shown(CALLS)
    assert judged(KILLED, 1, shown(7), RAISED, [*range(8)]) == []
    assert judged(ON_NODES, 1, shown(7), LOSS + RAISED, [*range(7)]) == []
    lines = "".join(f"{n} {'CallMayHaveRun' if n == 7 else n}\n" for n in range(CALLS))
    assert judged(CATCHING, 0, lines, "", [n for n in range(CALLS) if n != 7]) == []


@pytest.mark.parametrize(
    ("schedule", "code", "stdout", "stderr", "noted", "wrong"),
    [
        (KILLED, 1, shown(7), RAISED, [*range(7), 6], "run twice"),
        (KILLED, 1, shown(7), RAISED, [*range(6)], "it has shown 7 calls"),
        (KILLED, 1, shown(7), RAISED, [*range(9)], "it has shown 7 calls"),
        (KILLED, 1, shown(7), "", [*range(7)], "no documented error"),
        (KILLED, 1, "8\n", RAISED, [*range(2)], "shows something else"),
        (KILLED, 0, shown(CALLS), "", [*range(CALLS - 1)], "missing in silence"),
        (KILLED, 0, shown(CALLS), "what now\n", [*range(CALLS)], "stderr has"),
        (KILLED, 0, shown(CALLS), "thread panicked\n", [*range(CALLS)], "panicked"),
        (ON_NODES, 1, shown(7), RAISED, [*range(7)], "which node"),
        (ON_NODES, 1, shown(7), LOSS + LOSS + RAISED, [*range(7)], "told twice"),
        (ADDING, 0, "0 StateLost\n" * CALLS, "", [], "calls are missing"),
    ],
)
def test_whatever_else_comes_of_it_is_wrong(schedule, code, stdout, stderr, noted, wrong) -> None:
    assert any(wrong in one for one in judged(schedule, code, stdout, stderr, noted))


def test_state_must_not_come_back_in_silence() -> None:
    expected = plain(subject_of(ADDING)).stdout.splitlines()
    lost = [f"{n} StateLost" for n in range(5, CALLS)]
    good = "\n".join([*expected[:5], *lost]) + "\n"
    assert judged(ADDING, 0, good, "", [*range(5)]) == []
    back = "\n".join([*expected[:5], lost[0], *expected[6:]]) + "\n"
    assert judged(ADDING, 0, back, "", [n for n in range(CALLS) if n != 5]) != []
