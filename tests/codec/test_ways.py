"""What a result has of the arguments is found, and the way to it from the arguments."""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cord import _core
from cord.runtime.travel.paths import Names, Places, Ways, follow


@dataclass
class Plain:
    inside: object


class Slotted:
    __slots__ = ("inside",)

    def __init__(self, inside: object) -> None:
        self.inside = inside


class Listed(list):  # type: ignore[type-arg]
    def __init__(self, inside: object) -> None:
        super().__init__([0, inside])
        self.also = inside


class Named(NamedTuple):
    first: int
    inside: object


HOLDERS = [
    lambda one: [1, one],
    lambda one: (one, 2),
    lambda one: {"key": one},
    lambda one: {Named(1, 2): one, "other": 3},
    lambda one: deque([0, one]),
    lambda one: OrderedDict(a=1, b=one),
    lambda one: defaultdict(list, b=one),
    Plain,
    Slotted,
    Listed,
    lambda one: Named(1, one),
    lambda one: Counter({"n": 1}) and {"n": [one]},
]


@given(st.lists(st.sampled_from(HOLDERS), max_size=6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_way_leads_to_its_object(holders: list[Any], by_name: bool) -> None:
    wanted = outer = [1]
    for holder in holders:
        outer = holder(outer)
    args, kwargs = ((0, outer), {}) if not by_name else ((0,), {"given": outer})
    [trail] = _core.trails([wanted], [args, kwargs])
    ways = Ways([trail])
    assert follow(args, kwargs, ways.ways[0]) is wanted


def test_what_is_not_of_the_arguments_has_no_way() -> None:
    assert _core.trails([[1]], [([1], {1}), {}]) == []


def test_a_member_of_a_set_has_none_that_is_the_same_elsewhere() -> None:
    member = Slotted(1)
    with pytest.raises(LookupError):
        Ways(_core.trails([member], [({member},)]))


def test_a_fresh_result_shares_nothing() -> None:
    args = ([1, 2], {"a": [3]})
    assert _core.shared([list(args[0]), dict(args[1])["a"][0]], args, {}) is None
    assert _core.shared((1, "text", None), args, {}) is None


def test_what_is_held_by_both_is_found() -> None:
    inner = [3]
    args = ([1, 2], {"a": inner})
    objects, arrays = _core.shared({"row": args[0], "more": [inner]}, args, {}) or ([], [])
    assert {id(one) for one in objects} == {id(args[0]), id(inner)}
    assert arrays == []


def test_arrays_in_one_memory_are_found() -> None:
    whole, other = np.arange(10), np.arange(3)
    args = (whole, other)
    [(view, of)] = (_core.shared([whole[2:], other + 1], args, {}) or ([], []))[1]
    assert of is whole
    assert view.tolist() == whole[2:].tolist()
    assert _core.shared([other + 1, whole.copy()[1:]], args, {}) is None
    left, right = np.split(np.arange(6), 2)
    _, arrays = _core.shared([left, right], (), {}) or ([], [])
    assert len(arrays) == 2


ROWS = [Slotted(number) for number in range(9)]
TABLE = {"rows": ROWS}


def named() -> Names:
    return Names({(__name__, "TABLE"): TABLE})


def test_a_way_from_a_name_is_noted_and_looked_at() -> None:
    places = Places(named)
    for row in ROWS:
        way = places.way_to(row)
        assert way is not None and follow((), {}, way) is row
    ROWS.reverse()
    for row in ROWS:
        way = places.way_to(row)
        assert way is not None and follow((), {}, way) is row
    assert places.way_to(Slotted(1)) is None


def test_what_is_noted_is_not_kept_alive() -> None:
    last = Plain(1)
    ROWS.append(last)  # type: ignore[arg-type]
    places, seen = Places(named), weakref.ref(last)
    assert places.way_to(last) is not None
    ROWS.pop()
    del last
    assert seen() is None
