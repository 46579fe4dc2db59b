"""A scout encodes an argument only where that runs none of the program's code."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from telling import AnyName, Dict, EveryName, List, Reduced, Stateful, told

from cord.runtime.travel.encodable import has_plain_encoding


@dataclass
class Point:
    x: int
    parts: list[Any] = field(default_factory=list)


class Pair(NamedTuple):
    a: Any
    b: Any


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, "a", (2.0, {3}), {"k": b"v"}],
        Point(1, [Point(2)]),
        Pair(1, "b"),
        datetime.date(2020, 1, 1),
        Colour.RED,
        len,
        Point,
    ],
    ids=repr,
)
def test_plain(value: Any) -> None:
    assert has_plain_encoding(value)


def nested() -> Any:
    return Point(1, [Pair(1, Reduced())])


@pytest.mark.parametrize(
    "make",
    [
        Reduced,
        Stateful,
        lambda: [Reduced()],
        lambda: {"a": (Stateful(),)},
        nested,
        lambda: List([1]),
        lambda: Dict(a=1),
        EveryName,
    ],
    ids=[
        "__reduce__",
        "__getstate__",
        "in a list",
        "in a dict",
        "in objects",
        "a list's __iter__",
        "a dict's items",
        "__getattribute__",
    ],
)
def test_code_of_the_program(make: Any) -> None:
    value = make()
    told.clear()
    assert not has_plain_encoding(value)
    assert told == []


def test_a_getattr_is_not_asked() -> None:
    value = AnyName()
    told.clear()
    has_plain_encoding(value)
    assert told == []


def test_what_refers_to_itself() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert has_plain_encoding(ring)
