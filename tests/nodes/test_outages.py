"""Schedules of cut links and dying machines; `make outages` runs any number."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from network import are_permitted
from outages import CALLS, KINDS, Event, Schedule, examine, judge, make, plain

# short ones, of which each is about something else
SEEDS = 15, 19, 44
NOTING = next(kind for kind in KINDS if kind.name == "noting")
CATCHING = next(kind for kind in KINDS if kind.name == "catching")
LOSS = "cord: the node node3 is lost: its link was cut and did not come back\n"
RAISED = "Traceback (most recent call last):\n  ...\ncord.errors.CallMayHaveRun: work.note\n"


@pytest.mark.skipif(not are_permitted(), reason="namespaces are not permitted here")
def test_programs_whose_nodes_fail_show_what_they_should():
    with ThreadPoolExecutor(len(SEEDS)) as pool:
        wrong = list(pool.map(lambda seed: examine(make(seed), seed), SEEDS))
    assert not any(wrong)


def test_the_same_number_gives_the_same_schedule():
    assert make(5) == make(5) != make(5 + len(KINDS))


def judged(kind, code: int, stdout: str, stderr: str, noted: list[int]) -> list[str]:
    return judge(Schedule(kind, 1, (Event(0.5, "kill", 3, None),)), code, stdout, stderr, noted)


def shown(until: int) -> str:
    return "".join(f"{number}\n" for number in range(until))


def test_a_loss_that_is_told_is_as_it_should_be():
    assert plain(NOTING) == shown(CALLS // 2)
    assert judged(NOTING, 1, shown(7), LOSS + RAISED, [*range(8)]) == []
    assert judged(NOTING, 1, shown(7), LOSS + RAISED, [*range(7)]) == []
    rest = "".join(f"{number}\n" for number in range(8, CALLS // 2))
    noted = [number for number in range(CALLS // 2) if number != 7]
    assert judged(CATCHING, 0, f"{shown(7)}7 CallMayHaveRun\n{rest}", LOSS, noted) == []


@pytest.mark.parametrize(
    ("code", "stdout", "stderr", "noted", "wrong"),
    [
        (1, shown(7), LOSS + RAISED, [*range(7), 6], "run twice"),
        (1, shown(7), LOSS + RAISED, [*range(6)], "nothing is noted"),
        (1, shown(7), LOSS, [*range(7)], "names no loss"),
        (1, shown(7), RAISED, [*range(7)], "which node"),
        (1, "8\n", LOSS + RAISED, [*range(9)], "shows something else"),
        (1, shown(7), LOSS + LOSS + RAISED, [*range(7)], "told twice"),
        (1, shown(7), "cord: what now\n" + RAISED, [*range(7)], "stderr has"),
    ],
)
def test_whatever_else_comes_of_it_is_wrong(code, stdout, stderr, noted, wrong):
    assert any(wrong in problem for problem in judged(NOTING, code, stdout, stderr, noted))
