"""Which functions are worth being remote, by what looks at a program have seen."""

from __future__ import annotations

from types import CodeType
from typing import Any

from cord.tools.unplanned import choice
from cord.tools.unplanned.watch import Function


def code_of(name: str) -> CodeType:
    namespace: dict[str, Any] = {}
    exec(f"def {name}(): pass", namespace)
    found: CodeType = namespace[name].__code__
    return found


def function(name: str, module: str = "work", **seen: Any) -> Function:
    made = Function(code_of(name), {"__name__": module})
    made.calls, made.looks, made.lasted = 10, 20, 20
    for what, value in seen.items():
        setattr(made, what, value)
    return made


MAIN = function("main", "__main__", calls=1)
SCORE = function("score")
INNER = function("inner")


def names(found: list[choice.Taken]) -> list[str]:
    return [one.function.full for one in found]


def test_what_takes_its_share_in_several_calls_is_a_candidate():
    stacks = {(MAIN,): [0.1, 0.1], (MAIN, SCORE): [0.9, 0.9]}
    assert names(choice.candidates(stacks, 1.0, ())) == ["work.score"]


def test_what_takes_little_is_none():
    stacks = {(MAIN,): [0.9, 0.9], (MAIN, SCORE): [0.1, 0.1]}
    assert choice.candidates(stacks, 1.0, ()) == []


def test_what_may_not_be_remote_is_none():
    stacks = {(MAIN, SCORE): [1.0, 1.0]}
    assert choice.candidates(stacks, 1.0, {"work.score"}) == []


def test_recursion_within_a_script_would_meet_what_stands_for_it():
    walk = function("walk", "__main__", is_recursive=True)
    assert choice.candidates({(walk,): [1.0, 1.0]}, 1.0, ()) == []
    walk = function("walk", is_recursive=True)
    assert names(choice.candidates({(walk,): [1.0, 1.0]}, 1.0, ())) == ["work.walk"]


def test_how_long_calls_last():
    assert choice.lasts(function("f", looks=20, lasted=10)) is True
    assert choice.lasts(function("f", looks=200, lasted=10)) is None
    assert choice.lasts(function("f", looks=20, lasted=10, each=1e-6)) is False
    assert choice.lasts(function("f", lasted=0, each=0.001)) is True


def test_of_functions_that_call_each_other_the_outermost_is_chosen():
    stacks = {(MAIN, SCORE, INNER): [1.0, 1.0], (MAIN, SCORE): [0.2, 0.2]}
    found = choice.candidates(stacks, 1.2, ())
    assert names(found) == ["work.score", "work.inner"]
    assert names(choice.outermost(stacks, found)) == ["work.score"]


def test_what_is_mostly_called_by_others_is_chosen_too():
    stacks = {
        (MAIN, SCORE): [1.0, 1.0],
        (MAIN, INNER): [0.5, 0.5],
        (MAIN, SCORE, INNER): [0.1, 0.1],
    }
    found = choice.candidates(stacks, 1.6, ())
    assert names(choice.outermost(stacks, found)) == ["work.score", "work.inner"]


def test_the_plan():
    asks = function("ask", "llm", inside=20)
    stacks = {(SCORE,): [1.0, 0.9], (asks,): [1.0, 0.1], (function("row", "__main__"),): [1.0, 1.0]}
    plan = choice.plan_of(choice.taken(stacks), "single")
    assert plan["remote"] == {
        "work": {"pure": True, "only": ["score"], "replicas": "auto"},
        "llm": {"pure": True, "only": ["ask"], "replicas": 8, "inside": True},
        "single": {"pure": True, "only": ["row"], "replicas": "auto"},
    }
