"""What is said of runs of which all is given: no clock is looked at."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from cord.tools.predict.at_lines import Gains
from cord.tools.trace.diagnosis import Finding, Use, diagnose, use_of
from cord.tools.trace.facts import BY_NOBODY, Facts, Place

SECOND = 1_000_000_000


def place(**numbers: Any) -> Place:
    known = {
        "issued": 40, "answered": 40, "bytes": 800, "supplied": 0, "in_vain": 0,
        "ran": 4 * SECOND, "service": 4 * SECOND,
        "quantiles": [SECOND // 20, SECOND // 10, SECOND // 9, SECOND // 9, SECOND // 8],
    }  # fmt: skip
    return Place(
        number=1,
        name="main.py:3",
        file="main.py",
        lines=(3, 3),
        call="work.nap(x)",
        module="work",
        ahead=40,
        just_then=0,
        in_place=0,
        unsent=0,
        in_vain=0,
        told=[],
        reason="",
        remedy="",
        spent=1.0,
        hidden=1.0,
        numbers=known | numbers,
    )


def replica(slot: int, busy: int) -> dict[str, Any]:
    return {"id": slot + 1, "module": 0, "slot": slot, "node": None, "ready": 0, "died": None,
            "busy": busy, "in_vain": 0}  # fmt: skip


def run(path: dict[str, float], *places: Place, **changes: Any) -> Facts:
    length = sum(path.values())
    given: dict[str, Any] = {
        "name": "main.py",
        "head": {"modules": [{"name": "work", "pure": True}], "cores": 8, "engine": "local"},
        "length": length,
        "is_whole": True,
        "places": list(places),
        "own": path.get("own", 0.0),
        "own_lines": {},
        "samples": 0,
        "waits": {},
        "path": {(1, kind): spent for kind, spent in path.items()},
        "sources": {"main.py": ["import work", "for x in range(40):", "    work.nap(x)"]},
        "fallen": [],
        "numbers": {
            "length": int(length * SECOND),
            "replicas": [replica(0, SECOND), replica(1, SECOND)],
            "nodes": [],
        },
    }
    return Facts(**given | changes)


def first(facts: Facts) -> Finding:
    return diagnose(facts)[0]


def test_the_largest_part_comes_first() -> None:
    found = diagnose(run({"own": 1.0, "behind": 8.0, "running": 1.0}, place()))
    assert [one.spent for one in found] == [8.0, 1.0, 1.0]


def test_small_parts_are_not_told() -> None:
    assert len(diagnose(run({"own": 0.05, "behind": 9.0}, place()))) == 1


def test_long_calls_among_short_ones() -> None:
    long = place(quantiles=[1, SECOND // 100, SECOND // 50, SECOND, 2 * SECOND])
    one = first(run({"running": 2.0}, long))
    assert "the usual one takes 10.00 ms, the longest 2.00 s" in one.text
    assert one.change.startswith("remote.work.priority")


def test_replicas_without_cores() -> None:
    one = first(run({"behind": 4.0}, place(ran=16 * SECOND)))
    assert "they had a core for only 25 % of the time" in one.text
    assert "more replicas do not help" in one.change


def test_more_replicas_where_there_are_cores() -> None:
    assert first(run({"behind": 4.0}, place())).change == "remote.work.replicas = 4"


@pytest.mark.parametrize(
    ("numbers", "change"),
    [
        ({"bytes": 40 << 20}, 'remote.work.resident = "auto"'),
        ({"service": SECOND // 1000, "ran": SECOND // 1000}, "put more work into one call"),
        ({}, "more calls ahead, or more replicas"),
    ],
)
def test_calls_that_are_longer_on_their_way(numbers: dict[str, Any], change: str) -> None:
    one = first(run({"sending": 3.0, "running": 1.0}, place(**numbers)))
    assert one.text.startswith("calls are longer on their way than they take")
    assert one.change.startswith(change)


def test_a_line_is_named_where_samples_are_enough() -> None:
    lines = {("main.py", 2): 3.0, ("main.py", 3): 1.0}
    few = first(run({"own": 4.0}, place(), own_lines=lines, samples=4))
    assert few.line is None
    many = first(run({"own": 4.0}, place(), own_lines=lines, samples=400))
    assert (many.about, many.line) == ("main.py:2", ("main.py", 2))
    assert "75 % of that is at main.py:2 (sampled), `for x in range(40):`" in many.text


def test_work_in_vain_and_lost_replicas_are_told_beside() -> None:
    facts = run({"own": 1.0}, place(in_vain=SECOND), fallen=[("work", 7, 9)])
    beside = [one.text for one in diagnose(facts) if not one.spent]
    assert beside[0].startswith("50 % of what replicas did was in vain")
    assert "(process 7) was ended by SIGKILL" in beside[1]


def test_guesses_of_copies_are_bounded_by_another_key() -> None:
    guessed = dataclasses.replace(place(in_vain=SECOND), name=BY_NOBODY)
    (found,) = (one for one in diagnose(run({"own": 1.0}, guessed)) if "in vain" in one.text)
    assert found.change.startswith('speculate = "exact" under [run]')


def test_use_is_of_the_time_in_which_a_replica_was_there() -> None:
    facts = run({"own": 4.0}, place())
    facts.numbers["replicas"][1] |= {"ready": 3 * SECOND}
    assert use_of(facts) == [Use("work", 2, pytest.approx(2 / 5), 0.0, [])]


def test_use_is_told_by_machine_where_there_are_several() -> None:
    facts = run({"own": 4.0}, place())
    facts.numbers["nodes"] = [[0, "harvey"], [1, "bugs"]]
    for one in facts.numbers["replicas"]:
        one["node"] = 0
    assert use_of(facts)[0].nodes == []
    facts.numbers["replicas"][1]["node"] = 1
    nodes = use_of(facts)[0].nodes
    assert [(one.name, one.many, one.busy) for one in nodes] == [
        ("harvey", 1, 1 / 4),
        ("bugs", 1, 1 / 4),
    ]


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        (1.0, "remote.work.replicas = 4, for a run shorter by 25 %, as simulated"),
        (0.01, "remote.work.replicas = 4 would hardly gain anything, as simulated"),
    ],
)
def test_what_more_replicas_would_gain_is_told_where_it_is_known(saved: float, told: str) -> None:
    facts = run({"behind": 4.0}, place(), gains=Gains(more={"work": (4, saved)}))
    assert first(facts).change == told


def test_a_modules_name_is_a_key_of_the_plan() -> None:
    inner = dataclasses.replace(place(), module="package.work")
    facts = run({"behind": 4.0}, inner)
    facts.head["modules"][0]["name"] = "package.work"
    assert first(facts).change == 'remote."package.work".replicas = 4'
