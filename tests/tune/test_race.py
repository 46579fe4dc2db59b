"""The search, over programs whose times are made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cord.tools.tune.race import Search
from cord.tools.tune.space import Axis, Choice


class World:
    """Programs that take what `times` says, and a clock that they move."""

    def __init__(self, times: Callable[[dict[str, object]], float | None]) -> None:
        self.times = times
        self.now = 0.0
        self.ran: list[Choice] = []
        self.cut = 0

    def run(self, choice: Choice, longest: float | None) -> float | None:
        self.ran.append(choice)
        seconds = self.times(dict(choice))
        if seconds is None:
            self.now += 1.0
            return None
        if longest is not None and seconds > longest:
            self.now += longest
            self.cut += 1
            return None
        self.now += seconds
        return seconds

    def search(self, axes: list[Axis], budget: float = 1e6) -> Search:
        search = Search(self.run, lambda: self.now, budget, 1.0)
        search.search(axes)
        return search


def axis(key: str, *values: str | int, is_ladder: bool = False) -> Axis:
    return Axis(key, [((key, value),) for value in values], is_ladder)


def test_the_best_of_one_thing_is_found():
    world = World(lambda set_: {8: 3.0, 16: 2.0, 64: 2.5}.get(set_.get("batch"), 4.0))
    found = world.search([axis("batch", 8, 16, 64)]).found
    assert dict(found.choice) == {"batch": 16}
    assert (found.before, found.after) == ([4.0] * 5, [2.0] * 5)
    assert (found.tried, found.is_whole) == (3, True)


def test_nothing_is_found_where_the_plan_is_best():
    world = World(lambda set_: 1.0 + len(set_))
    found = world.search([axis("a", 1, 2), axis("b", 1)]).found
    assert (found.choice, found.before, found.after) == ((), [], [])


def test_what_gains_less_than_two_of_a_hundred_is_not_worth_it():
    world = World(lambda set_: 0.99 if set_ else 1.0)
    assert world.search([axis("a", 1)]).found.choice == ()


def test_things_that_help_together_are_found_one_after_the_other():
    world = World(lambda set_: 8.0 / (1 + set_.get("a", 0)) / (1 + set_.get("b", 0)))
    found = world.search([axis("a", 1), axis("b", 1)]).found
    assert dict(found.choice) == {"a": 1, "b": 1}
    assert [(step.axis, step.before, step.after) for step in found.steps] == [
        ("a", 8.0, 4.0),
        ("b", 4.0, 2.0),
    ]


def test_what_helps_only_after_something_else_is_found_too():
    world = World(lambda set_: 1.0 if set_ == {"a": 1, "b": 1} else 2.0 if "b" in set_ else 3.0)
    found = world.search([axis("a", 1), axis("b", 1)]).found
    assert dict(found.choice) == {"a": 1, "b": 1}


def test_a_ladder_is_climbed_until_a_step_does_not_help():
    world = World(lambda set_: {2: 5.0, 4: 3.0, 8: 2.99, 16: 1.0}.get(set_.get("replicas"), 9.0))
    found = world.search([axis("replicas", 2, 4, 8, 16, is_ladder=True)]).found
    assert dict(found.choice) == {"replicas": 4}
    assert (("replicas", 16),) not in world.ran


def test_losers_are_cut_off_and_not_run_again():
    world = World(lambda set_: 100.0 if set_ == {"a": 1} else 2.0)
    found = world.search([axis("a", 1, 2)]).found
    assert found.choice == ()
    assert world.ran.count((("a", 1),)) == world.cut == 1
    assert world.ran.count((("a", 2),)) == 3


def test_what_shows_something_else_never_wins():
    world = World(lambda set_: None if set_ == {"a": 1} else 0.5 if set_ == {"a": 2} else 1.0)
    assert dict(world.search([axis("a", 1, 2)]).found.choice) == {"a": 2}


def test_a_lucky_run_does_not_win():
    lucky = iter([0.5])
    world = World(lambda set_: next(lucky, 1.0) if set_ else 1.0)
    assert world.search([axis("a", 1)]).found.choice == ()


@pytest.mark.parametrize("budget", [0.0, 3.0, 10.0, 30.0])
def test_the_budget_is_kept(budget):
    world = World(lambda set_: 2.0 - 0.1 * len(set_))
    found = world.search([axis(key, 1, 2) for key in "abcd"], budget).found
    assert world.now <= budget or not world.ran
    assert not found.is_whole
