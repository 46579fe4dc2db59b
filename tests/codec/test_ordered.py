"""Sets keep their order through a pickle."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from cord import _core
from cord.runtime.travel import ordered


def travelled(value: Any) -> Any:
    buffers: list[Any] = []
    data = ordered.dumps(value, buffers)
    assert data is not None
    return ordered.loads(data, buffers)


def by_adding(rng: random.Random) -> set[Any]:
    return {rng.randrange(1000) for _ in range(rng.randrange(60))}


def by_discarding(rng: random.Random) -> set[Any]:
    made = by_adding(rng)
    for element in list(made)[::3]:
        made.discard(element)
    return made


def by_union(rng: random.Random) -> set[Any]:
    return by_adding(rng) | by_adding(rng)


def of_texts(rng: random.Random) -> frozenset[Any]:
    return frozenset(str(rng.random()) for _ in range(rng.randrange(60)))


@pytest.mark.parametrize("make", [by_adding, by_discarding, by_union, of_texts])
def test_every_set_comes_in_its_order_and_works(make: Any) -> None:
    rng = random.Random(1)
    changed = 0
    for _ in range(300):
        one = make(rng)
        back = travelled(one)
        assert list(back) == list(one)
        assert type(back) is type(one)
        assert back == one and len(back) == len(one)
        assert all(element in back for element in one)
        assert list(back | {-1}) == list(one | {-1})
        changed += list(pickle.loads(pickle.dumps(one))) != list(one)
    assert changed > 10  # or there would be nothing to do


def test_a_set_that_came_can_be_changed() -> None:
    one = {i * 64 for i in range(30)}
    back = travelled(one)
    for element in (64, 5, 128, 7):
        for each in (one, back):
            each.symmetric_difference_update({element})
    assert list(back) == list(one)
    back.clear()
    assert list(back) == []


def test_what_is_one_set_stays_one() -> None:
    one = {0, 64, 128}
    back = travelled([one, one, {"again": one, "other": {0, 64, 128}}])
    assert back[0] is back[1] is back[2]["again"]
    assert back[0] is not back[2]["other"]


def test_sets_in_sets() -> None:
    one = frozenset({frozenset({i, i + 64, i + 128}) for i in range(9)})
    back = travelled(one)
    assert back == one
    assert [list(part) for part in travelled(list(one))] == [list(part) for part in one]


class ById:
    """Its hash is where it lies, another one in every process."""


def test_elements_with_other_hashes_are_found() -> None:
    one = {ById() for _ in range(20)}
    back = travelled(one)
    assert len(back) == len(one)
    assert all(element in back for element in back)


class Owner:
    def __init__(self) -> None:
        self.others = {self, 1}


def test_a_set_inside_itself() -> None:
    back = travelled(Owner())
    assert back in back.others
    others = travelled(Owner().others)
    (owner,) = (each for each in others if each != 1)
    assert owner.others is others


def test_what_is_too_deep_is_left_to_the_plain_pickle() -> None:
    deep: Any = {1, 2}
    for _ in range(100_000):
        deep = [deep]
    assert ordered.dumps(deep, []) is None


def test_large_buffers_stay_outside() -> None:
    block = pickle.PickleBuffer(bytearray(100_000))
    buffers: list[Any] = []
    data = ordered.dumps([{1, 65}, block], buffers)
    assert data is not None
    assert len(data) < 1000
    assert len(buffers) == 1
    assert bytes(ordered.loads(data, buffers)[1]) == bytes(100_000)


@pytest.mark.parametrize(
    "value",
    [{1}, [frozenset()], {"a": {(1, 2)}}, (b"\x8f" * 300, [set()]), [10**300, 1.5, {2}]],
)
def test_sets_are_seen_in_a_pickle(value: Any) -> None:
    assert _core.mentions_sets(pickle.dumps(value, 5))


@pytest.mark.parametrize(
    "value",
    [
        1,
        [],
        b"\x8f\x91",
        b"\x8f" * 300,
        b"\x91" * 70_000,
        "\x8f\x91",
        [0x8F, 0x918F, 0x8F918F91, -0x8F, 2.5e-310],
        [1 << 2000, -(1 << 3000), bytearray(b"\x8f" * 9), {"k\x91": (None, True, print)}],
        [list(range(40_000)), str(b"\x8f" * 300_000)],
    ],
)
def test_no_sets_are_seen_where_none_are(value: Any) -> None:
    assert not _core.mentions_sets(pickle.dumps(value, 5))


@pytest.mark.parametrize(
    "places",
    [
        (False, 7, [], [], []),
        (False, 8, [8], [], ["a"]),
        (False, 8, [0, 0], [], ["a", "b"]),
        (False, 8, [0], [0], ["a"]),
        (False, 8, [0], [], []),
        (False, 8, list(range(8)), [], list("abcdefgh")),
        (False, 1 << 40, [0], [], ["a"]),
    ],
)
def test_places_that_no_set_has_are_refused(places: Any) -> None:
    with pytest.raises((ValueError, MemoryError)):
        _core.set_from_places(*places)


def test_only_sets_have_places() -> None:
    with pytest.raises(TypeError):
        _core.set_places([1])  # type: ignore[arg-type]
