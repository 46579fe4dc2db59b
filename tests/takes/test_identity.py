"""Which functions compare objects by their identity, and which arguments are known by it."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from cord._core import Reached, Watch
from cord.runtime.objects.identity import compares

KNOWN = object()


def same(one: Any, other: Any) -> bool:
    return one is other


def is_nothing(one: Any) -> Any:
    return one is None, one is not ..., True if one is False else one


def within(ones: list[Any]) -> Any:
    return [lambda other, one=one: other is not one for one in ones]


def by_number(one: Any) -> int:
    return id(one)


def equal(one: Any, other: Any) -> Any:
    return one == other, one in [other]


def test_who_compares_by_identity() -> None:
    assert all(compares([one]) for one in (same, within, by_number))
    assert not compares([is_nothing, equal, len])


class Plain:
    def __init__(self, *held: Any) -> None:
        self.held = held


class Alike(Plain):
    def __eq__(self, other: object) -> bool:
        return type(other) is Alike

    def __hash__(self) -> int:
        return 1


class Colour(Enum):
    RED = 1


def adding(number: int) -> Any:
    return lambda other: other + number


def is_given(state: dict[str, Any], argument: Any, *, named: Any = (), by_is: bool = False) -> bool:
    """What native code tells of an argument, where a function reads this state."""
    names = sorted(state)
    known: tuple[list[Any], set[int], bool] = ([], {id(one) for one in named}, by_is)
    reached = Reached([(state, names)], Watch([]), [], None, False, 0, known)
    return reached.is_given((argument,))


PLAIN, ALIKE, LIST, ADDING = Plain(1), Alike(1), [1], adding(1)
PARENT = Plain(PLAIN)


@pytest.mark.parametrize(
    ("state", "argument", "expected"),
    [
        ({"a": [PLAIN]}, PLAIN, True),
        ({"a": {PLAIN: 1}}, (0, {"key": [PLAIN]}), True),
        ({"a": PARENT}, PLAIN, True),
        ({"a": [PLAIN]}, PARENT, True),
        ({"a": [Plain(1)]}, PLAIN, False),
        ({"a": [ALIKE]}, ALIKE, False),
        ({"a": LIST}, LIST, False),
        ({"a": [ADDING]}, ADDING, True),
        ({"a": [equal]}, equal, False),
        ({"a": [Colour.RED], "b": Colour}, Colour.RED, False),
        ({"a": [KNOWN]}, KNOWN, True),
        ({"a": 1, "b": "text"}, PLAIN, False),
        ({"a": [PLAIN.__init__]}, PLAIN, True),
    ],
)
def test_what_is_known_by_its_identity(
    state: dict[str, Any], argument: Any, expected: bool
) -> None:
    assert is_given(state, argument) is expected


def test_who_compares_by_identity_knows_containers_so_too() -> None:
    assert is_given({"a": [ALIKE]}, ALIKE, by_is=True)
    assert is_given({"a": LIST}, [LIST], by_is=True)
    assert not is_given({"a": [1]}, LIST, by_is=True)
    assert not is_given({"a": Colour.RED}, Colour.RED, by_is=True)


def test_what_has_a_name_is_one_object_and_what_it_holds_is_not() -> None:
    assert not is_given({"a": PARENT}, PARENT.held, named=[PARENT, PLAIN])
    assert is_given({"a": PARENT}, PARENT, named=[PARENT])
    assert not is_given({"a": ALIKE}, ALIKE, named=[ALIKE])
