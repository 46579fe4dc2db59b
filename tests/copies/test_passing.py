"""A function goes on behind a statement that asked for what is not known."""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from cord import _core
from cord.runtime.copies.unknown import passing, unseen
from cord.runtime.copies.unknown.calling import CannotResumeError
from cord.runtime.copies.unknown.leaf import Unseen
from cord.runtime.copies.unknown.nodes import before_waiting
from cord.runtime.copies.unknown.questions import before_guessing, place
from cord.runtime.copies.unknown.resuming import rest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

unseen.define()
TOTAL = 0
# What copies have noted for one another.
NOTES: dict[bytes, bytes] = {}


class GoneOnError(Exception):
    """Carries what the rest of a function has returned."""


@pytest.fixture(autouse=True)
def ready(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    passing.begin()
    monkeypatch.setattr(_core, "noted", NOTES.get)
    monkeypatch.setattr(_core, "note", NOTES.__setitem__)
    monkeypatch.setattr(_core, "passes_by", lambda *_: True)
    monkeypatch.setattr(_core, "leads", lambda _: True)
    monkeypatch.setattr(_core, "look", lambda: None)
    monkeypatch.setattr(_core, "value_now", lambda _: None)
    monkeypatch.setattr(_core, "digest_of", lambda _: None)
    yield
    passing._rests.clear()
    passing._codes.clear()
    before_waiting.clear()
    before_guessing.clear()


def ask() -> Any:
    """The first time, the rest of the caller; then the statement that asks is passed by."""
    frame = sys._getframe(1)
    if frame.f_code in passing._codes:
        raise passing.PassesError
    rest = passing._rest_of(frame.f_code, frame.f_globals, frame.f_lineno)
    assert rest is not None
    found = passing.run_rest(rest, frame)
    # what the frame itself closes after that is not the rest's
    raise GoneOnError([*found] if type(found) is list else found)


def gone_on(function: Callable[..., Any], *args: Any) -> Any:
    with pytest.raises(GoneOnError) as raised:
        function(*args)
    return raised.value.args[0]


def is_lost(thing: object) -> bool:
    return type(thing) is Unseen


class Particle:
    """What it is behind calls of its methods, of which each changes something else."""

    def __init__(self) -> None:
        self.at, self.best = 0, 0
        self.seen: list[int] = []
        self.kind = {"a": 1}

    def move(self) -> None:
        self.at += self.kind["a"]
        self._note()

    def _note(self) -> None:
        self.seen.append(self.at)

    def update(self, **named: Any) -> None:
        for name, value in named.items():
            setattr(self, name, value)

    def tell(self) -> tuple[int, int]:
        return self.at, self.kind["a"]


def draws(numbers: random.Random, items: Iterator[int], named: dict[str, int]) -> Any:
    if ask():
        found = numbers.random() + named.get("a", 0) + next(items)
        print(found)
    return numbers, items, named, 0


def test_what_goes_on_with_its_state_is_lost_where_it_may_have_been_asked() -> None:
    numbers, items, named, _ = gone_on(draws, random.Random(1), iter([1, 2]), {"a": 1})
    assert is_lost(numbers) and is_lost(items)
    assert named == {"a": 1}


def move(particles: list[Particle]) -> Any:
    if ask():
        particles[0].move()
        particles[1].update(best=3)
        particles[2].tell()
    return particles, 0


def test_attributes_are_lost_that_a_method_may_have_set() -> None:
    (moved, updated, told), _ = gone_on(move, [Particle(), Particle(), Particle()])
    assert is_lost(moved.at) and is_lost(moved.seen)
    assert moved.best == 0
    assert all(map(is_lost, vars(updated).values()))
    assert not any(map(is_lost, vars(told).values()))


TOTALS = {1}


def change(log: list[Any], seen: list[int]) -> Any:
    if ask():
        log.append(1)
        TOTALS.add(1)
        seen[ask()] = 1
    return log, seen, TOTALS, sys


def test_containers_are_lost_that_a_method_or_an_unknown_key_may_have_changed() -> None:
    log, seen, totals, module = gone_on(change, [0], [2, 3])
    globals()["TOTALS"] = {1}
    assert log[0] == 0 and is_lost(log[1]) and len(log) == 2
    assert is_lost(totals) and is_lost(seen)
    assert module is sys


def replace(row: list[Any], named: dict[str, Any]) -> Any:
    if ask():
        row[:] = ask()
        named[ask()] = 1
    return 0


def test_what_a_container_holds_is_lost_for_all_who_have_it() -> None:
    row, named = [1, 2], {"a": 1}
    gone_on(replace, row, named)
    assert [*map(is_lost, row)] == [True, True]
    assert is_lost(named["a"])


class Room:
    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def __enter__(self) -> Room:
        self.log.append("in")
        return self

    def __exit__(self, *error: object) -> None:
        self.log.append(("out", *error))


def loops(log: list[Any]) -> Any:
    for first in range(2):
        for second in "ab":
            answer = 1
            answer = ask()
            log.append((first, second, is_lost(answer)))
    return log


def test_loops_go_on_where_they_are() -> None:
    assert gone_on(loops, []) == [(first, second, True) for first in range(2) for second in "ab"]


def leaves_loops(log: list[Any]) -> Any:
    for first in range(9):
        if first == 1:
            ask()
            continue
        log.append(first)
        if first == 3:
            break
    else:
        log.append("never")
    return log


def test_loops_are_left_as_in_the_text() -> None:
    assert gone_on(leaves_loops, []) == [0, 2, 3]


def counts(log: list[Any]) -> Any:
    left = 3
    while left:
        left -= 1
        if ask():
            log.append("asked")
        log.append(left)
    log.append("else")
    return log


def test_what_a_condition_leads_to_is_passed_by() -> None:
    log = gone_on(counts, [])
    assert all(map(is_lost, log[:6:2]))
    assert [*log[1:6:2], *log[6:]] == [2, 1, 0, "else"]


def cleans_up(log: list[Any]) -> Any:
    with Room(log) as room:
        try:
            for _ in range(2):
                with Room(log):
                    ask()
                    log.append("within")
            raise KeyError(1)
        except KeyError:
            log.append("caught")
        finally:
            log.append("finally")
        return room.log


def test_what_is_open_is_closed() -> None:
    out = ("out", None, None, None)
    inner = ["within", out]
    assert gone_on(cleans_up, []) == ["in", "in", *inner, "in", *inner, "caught", "finally", out]


def sets(thing: Any, table: dict[str, Any]) -> Any:
    if ask() > 1:
        thing.place, table["a"] = 1, 2
        first, *others = 3, 4
    return thing.place, table, first, others


def test_what_a_statement_would_set_is_lost() -> None:
    thing = Room([])
    place, table, first, others = gone_on(sets, thing, {"a": 0, "b": 1})
    assert all(map(is_lost, (place, table["a"], first, others))) and table["b"] == 1


def shares(log: list[Any]) -> Any:
    count = 0

    def add() -> None:
        nonlocal count
        count += 1
        log.append(count)

    add()
    ask()
    add()
    count += 10
    return count, add, unbound_later(log)


def unbound_later(log: list[Any]) -> int:
    return len(log)


def test_variables_stay_shared_with_functions_within() -> None:
    log: list[Any] = []
    count, add, length = gone_on(shares, log)
    add()
    assert (count, length, log) == (12, 2, [1, 2, 13])


class Base:
    def speak(self) -> str:
        return "base"


class Child(Base):
    __hidden = "hidden"

    def speak(self) -> Any:
        global TOTAL  # noqa: PLW0603 - that is what is tried
        ask()
        TOTAL += 1
        return super().speak(), self.__hidden, TOTAL


def test_methods_know_their_class_and_their_module() -> None:
    assert gone_on(Child().speak) == ("base", "hidden", 1)
    assert TOTAL == 1


def goes_wrong(log: list[Any]) -> Any:
    found = ask()
    size = len({"a": 1}[found.name])
    log.append(size + 1)
    try:
        int("no number")
    except ValueError:
        log.append("handled")
    return log, size


def test_what_comes_of_what_is_lost_is_lost_too() -> None:
    (log, size) = gone_on(goes_wrong, [])
    assert is_lost(size) and log[1:] == ["handled"] and is_lost(log[0])


def test_what_one_copy_has_made_another_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    NOTES.clear()
    first = gone_on(goes_wrong, [])
    assert NOTES
    monkeypatch.setattr(passing, "_rests", {})
    monkeypatch.setattr(passing, "_made", None)
    log, size = gone_on(goes_wrong, [])
    assert is_lost(size) and [*map(type, log)] == [*map(type, first[0])]


def returns() -> Any:
    return ask() + 1


def test_a_statement_that_returns_returns_what_is_lost() -> None:
    assert is_lost(gone_on(returns))


def handles() -> Any:
    try:
        raise KeyError
    except KeyError:
        frame = sys._getframe()
        return rest_of(frame.f_code, frame.f_globals, frame.f_lineno)


def is_generated() -> Iterator[Any]:
    yield next(passing._asking_frames(), None)


def test_what_cannot_be_resumed_is_not() -> None:
    with pytest.raises(CannotResumeError):
        handles()
    assert next(is_generated()) is None


@pytest.mark.parametrize(
    ("kind", "left"),
    [("", ["inner", "outer", "test_whose_functions_of_packages_are_left"]), ("async ", [])],
)
def test_whose_functions_of_packages_are_left(kind: str, left: list[str]) -> None:
    text = (
        f"{kind}def inner(one):\n    found.extend(frames())\ndef outer(one):\n    end(inner(one))\n"
    )
    found: list[Any] = []

    def end(awaited: Any) -> None:
        if awaited is not None:
            with pytest.raises(StopIteration):
                awaited.send(None)

    names: dict[str, Any] = {"frames": passing._asking_frames, "found": found, "end": end}
    exec(compile(text, "/lib/site-packages/others.py", "exec"), names)
    names["outer"](1)
    assert [frame.f_code.co_name for frame in found] == left


def test_an_array_of_which_something_was_set_is_lost() -> None:
    numpy = pytest.importorskip("numpy")

    class Population:
        def __init__(self) -> None:
            self.members = numpy.zeros((2, 2))
            self.best = numpy.zeros(2)
            self.others = numpy.zeros(2)

        def accept(self) -> None:
            self.best[:] = 1

    def function() -> Any:
        population = Population()
        order = numpy.array([2, 1])
        if ask():
            population.members[0] = 1.5
            population.accept()
            order.sort()
        return population.members, population.best, order, population.others.sum()

    found = [*gone_on(function)]
    assert [is_lost(one) for one in found] == [True, True, True, False]


def asks_twice(places: list[int], asks: bool) -> Any:
    if asks and ask():
        pass
    places.append(place())
    return places


def test_the_rest_of_a_function_asks_from_where_the_function_would() -> None:
    found: list[int] = []
    for asks in (False, True):
        with suppress(GoneOnError):
            asks_twice(found, asks)
    assert len(found) == 2
    assert found[0] == found[1]
