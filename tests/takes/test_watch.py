"""Any change of what an object leads to is noticed, and nothing is kept alive for that."""

from __future__ import annotations

import copyreg
import enum
import gc
import weakref
from array import array
from collections import Counter, OrderedDict, UserDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy
import pytest

from cord._core import Watch

LARGE = 100_000  # so many that only what the kernel saw written is compared


class Plain:
    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)


class Other(Plain):
    pass


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a: Any) -> None:
        self.a = a


class SlotsBelow(Slots):
    __slots__ = ("c",)


@dataclass
class Data:
    n: int = 0
    items: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Frozen:
    items: list[int]


class Named(NamedTuple):
    items: list[int]


class OwnList(list[Any]):
    pass


class OwnDict(dict[str, Any]):
    pass


class OwnSet(set[Any]):
    pass


class Reduced:
    def __init__(self, n: int) -> None:
        self.n = n

    def __reduce__(self) -> Any:
        return Reduced, (self.n,)


class OwnInt(int):
    pass


class Color(enum.Enum):
    RED = 1


class Zone(tzinfo):
    hours = 1

    def utcoffset(self, _: datetime | None) -> timedelta:
        return timedelta(hours=self.hours)

    def dst(self, _: datetime | None) -> None:
        return None


def nested(depth: int, inside: Any) -> Any:
    for _ in range(depth):
        inside = [inside]
    return inside


def deepest(value: Any) -> Any:
    while type(value[0]) is list:
        value = value[0]
    return value


def write_through_view(value: Any, at: int, byte: int) -> None:
    memoryview(value).cast("B")[at] = byte


def replace(items: list[Any], at: int, make: Callable[[], Any]) -> None:
    """Put another object where this one lies in memory, if that can be."""
    del items[at]
    items.insert(at, make())


def empty_and_refill(numbers: set[Any]) -> None:
    """Drop what is no number, and the places in the table that it has left."""
    kept = [number for number in numbers if type(number) is int]
    numbers.clear()
    numbers.update(kept)


def ring() -> list[Any]:
    items: list[Any] = [[1]]
    items.append(items)
    return items


CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "a list's item": (lambda: [1, 2], lambda x: x.__setitem__(0, 3)),
    "an equal item of another type": (lambda: [1, 2], lambda x: x.__setitem__(0, True)),
    "a list grows": (lambda: [1, 2], lambda x: x.append(3)),
    "a list shrinks": (lambda: [1, 2], lambda x: x.pop()),
    "a list is sorted": (lambda: [2.5, 1.5], lambda x: x.sort()),
    "an empty list": (list, lambda x: x.append(None)),
    "an item of a large list": (
        lambda: [*range(1000, 1000 + LARGE)],
        lambda x: x.__setitem__(LARGE // 2, 0),
    ),
    "a large list grows": (lambda: [0.5] * LARGE, lambda x: x.append(0.5)),
    "a large list is turned": (lambda: [*map(str, range(LARGE))], lambda x: x.reverse()),
    "deep inside lists": (lambda: nested(100, 1), lambda x: deepest(x).append(2)),
    "a list in a tuple": (lambda: (1, (2, [3])), lambda x: x[1][1].clear()),
    "a list in a ring": (ring, lambda x: x[1][1][0].append(2)),
    "a dict's value": (lambda: {"a": 1}, lambda x: x.update(a=2)),
    "a dict's key": (lambda: {"a": 1}, lambda x: x.update(b=2)),
    "a dict's order": (lambda: {"a": 1, "b": 2}, lambda x: x.update(a=x.pop("a"))),
    "a dict's last": (lambda: {"a": 1, "b": 2}, lambda x: x.popitem()),
    "a dict is merged": (lambda: {"a": 1}, lambda x: x.__ior__({"a": 2})),
    "a dict is cleared": (lambda: {"a": 1}, lambda x: x.clear()),
    "an empty dict is filled": (dict, lambda x: x.update({"a": 1})),
    "setdefault": (lambda: {"a": 1}, lambda x: x.setdefault("b")),
    "a dict as a key's value": (lambda: {1: {2: {3: 4}}}, lambda x: x[1][2].update({3: 5})),
    "one of many dicts": (
        lambda: {n: {"a": n} for n in range(1000)},
        lambda x: x[999].update(a=0),
    ),
    "a set grows": (lambda: {1, 2}, lambda x: x.add(3)),
    "a set's element is another": (lambda: {1, 2}, lambda x: (x.remove(2), x.add(3))),
    "an object in a frozenset": (
        lambda: frozenset([Plain(n=1)]),
        lambda x: setattr(*x, "n", 2),
    ),
    "a deque turns": (lambda: deque([1, 2]), lambda x: x.rotate()),
    "a list in a deque": (lambda: deque([[]]), lambda x: x[0].append(1)),
    "an ordered dict's order": (
        lambda: OrderedDict(a=1, b=2),
        lambda x: x.move_to_end("a"),
    ),
    "an ordered dict's value": (lambda: OrderedDict(a=1), lambda x: x.update(a=2)),
    "a default dict makes one": (lambda: defaultdict(int), lambda x: x["a"]),
    "a default is another": (
        lambda: defaultdict(int),
        lambda x: setattr(x, "default_factory", list),
    ),
    "a counter counts": (lambda: Counter("ab"), lambda x: x.update("a")),
    "a user's dict": (lambda: UserDict(a=1), lambda x: x.update(a=2)),
    "an array": (lambda: array("d", [1, 2]), lambda x: x.__setitem__(0, 3)),
    "an array through a view": (lambda: array("i", [1, 2]), lambda x: write_through_view(x, 4, 9)),
    "bytes": (lambda: bytearray(b"abc"), lambda x: x.__setitem__(1, 0)),
    "bytes through a view": (
        lambda: bytearray(1 << 20),
        lambda x: write_through_view(x, (1 << 20) - 1, 1),
    ),
    "bytes grow": (lambda: bytearray(b"abc"), lambda x: x.extend(b"d")),
    "numbers": (lambda: numpy.zeros(10), lambda x: x.__setitem__(3, 1)),
    "many numbers": (lambda: numpy.zeros(LARGE), lambda x: x.__setitem__(LARGE - 1, 1)),
    "numbers through a view": (lambda: numpy.zeros((9, 9)), lambda x: x.T[1:].fill(2)),
    "another shape": (lambda: numpy.zeros(6), lambda x: setattr(x, "shape", (2, 3))),
    "a matrix with gaps": (lambda: numpy.zeros((4, 4))[::2], lambda x: x.__setitem__((1, 1), 1)),
    "an array of objects": (
        lambda: numpy.array([[1], None], dtype=object),
        lambda x: x[0].append(1),
    ),
    "an attribute": (lambda: Plain(a=1), lambda x: setattr(x, "a", 2)),
    "a new attribute": (lambda: Plain(a=1), lambda x: setattr(x, "b", 2)),
    "an attribute is deleted": (lambda: Plain(a=1), lambda x: delattr(x, "a")),
    "attributes through their dict": (lambda: Plain(a=1), lambda x: vars(x).update(a=2)),
    "another dict of attributes": (
        lambda: Plain(a=1),
        lambda x: setattr(x, "__dict__", {"a": 2}),
    ),
    "another class": (lambda: Plain(a=1), lambda x: setattr(x, "__class__", Other)),
    "a list in an attribute": (lambda: Plain(a=[Plain(b=[])]), lambda x: x.a[0].b.append(1)),
    "a slot": (lambda: Slots(1), lambda x: setattr(x, "a", 2)),
    "a slot is filled": (lambda: Slots(1), lambda x: setattr(x, "b", 2)),
    "a slot is emptied": (lambda: Slots(1), lambda x: delattr(x, "a")),
    "a slot of a class below": (lambda: SlotsBelow(1), lambda x: setattr(x, "c", 2)),
    "a list in a slot": (lambda: Slots([]), lambda x: x.a.append(2)),
    "a field": (Data, lambda x: setattr(x, "n", 1)),
    "a list in a field": (Data, lambda x: x.items.append(1)),
    "a list in a frozen one": (lambda: Frozen([]), lambda x: x.items.append(1)),
    "a frozen one, by force": (
        lambda: Frozen([]),
        lambda x: object.__setattr__(x, "items", [1]),
    ),
    "a list in a named tuple": (lambda: Named([]), lambda x: x.items.append(1)),
    "a namespace": (lambda: SimpleNamespace(a=1), lambda x: setattr(x, "a", 2)),
    "a list of one's own": (lambda: OwnList([1]), lambda x: x.append(1)),
    "its attribute": (lambda: OwnList([1]), lambda x: setattr(x, "a", 1)),
    "a dict of one's own": (lambda: OwnDict(a=1), lambda x: x.update(a=2)),
    "a set of one's own": (lambda: OwnSet([1]), lambda x: x.add(2)),
    "what is reduced": (lambda: [Reduced(1)], lambda x: setattr(x[0], "n", 2)),
    "a number of one's own": (lambda: [OwnInt(1)], lambda x: replace(x, 0, lambda: OwnInt(2))),
    "an object for an equal one": (
        lambda: [Plain(a=1)],
        lambda x: replace(x, 0, lambda: Plain(a=2)),
    ),
    "a zone of one's own": (
        lambda: datetime(2026, 1, 1, tzinfo=Zone()),
        lambda x: setattr(x.tzinfo, "hours", 2),
    ),
}


@pytest.mark.parametrize(("make", "change"), CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_noticed(make: Callable[[], Any], change: Callable[[Any], object]) -> None:
    value = make()
    watch = Watch([value])
    assert watch.is_unchanged()
    assert watch.is_unchanged()  # by now the kernel may note what is written
    change(value)
    assert not watch.is_unchanged()


UNCHANGED: dict[str, Callable[[], Any]] = {
    "dates": lambda: [datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)],
    "an enumeration": lambda: {Color.RED: [Color.RED]},
    "functions and classes": lambda: [len, deepest, Plain, [].append],
    "tuples in tuples": lambda: nested(3, ((1, ("a", 2.5)), ())),
    "numbers of numpy's": lambda: [numpy.float64(1), numpy.int32(2)],
}


@pytest.mark.parametrize("make", UNCHANGED.values(), ids=UNCHANGED.keys())
def test_what_has_not_changed_is_unchanged(make: Callable[[], Any]) -> None:
    value = make()
    watch = Watch([value])
    assert watch.is_unchanged()
    assert watch.is_unchanged()


def test_a_change_back_is_none() -> None:
    state = {"items": [1, 2], "n": 1}
    watch = Watch([state])
    state["items"].append(3)
    state["n"] = 2
    assert not watch.is_unchanged()
    state["items"].pop()
    state["n"] = 1
    assert watch.is_unchanged()


def test_neighbours_in_memory_are_not_taken_for_changes() -> None:
    lists = [[n] * 40_000 for n in range(3)]
    watches = [Watch([items]) for items in lists]
    assert all(watch.is_unchanged() for watch in watches * 2)
    lists[1][7] = None
    assert [watch.is_unchanged() for watch in watches] == [True, False, True]
    assert [watch.is_unchanged() for watch in watches] == [True, False, True]


def test_attributes_of_objects_that_share_their_keys() -> None:
    objects = [Plain() for _ in range(20)]
    for one in objects:
        one.a, one.b = 1, 2
    watch = Watch([objects])
    assert watch.is_unchanged()
    for one in objects:
        one.b = 3
        assert not watch.is_unchanged()
        one.b = 2
        assert watch.is_unchanged()


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda one: [one],
    "tuple": lambda one: [(1, one)],
    "dict": lambda one: {"a": one},
    "key": lambda one: {one: 1},
    "set": lambda one: {one},
    "deque": lambda one: deque([one]),
    "attribute": lambda one: Data(items=one),
    "slot": Slots,
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS.keys())
@pytest.mark.parametrize("kind", [Plain, Reduced], ids=["plain", "reduced"])
def test_nothing_is_kept_alive(hold: Callable[[Any], Any], kind: Callable[..., Any]) -> None:
    one = kind(n=1)
    ended = weakref.ref(one)
    holder = [hold(one)]
    watch = Watch([holder])
    assert watch.is_unchanged()
    del one
    holder.clear()
    gc.collect()
    assert ended() is None
    assert not watch.is_unchanged()


def test_functions_and_classes_are_looked_into_where_asked() -> None:
    cell = [1]

    def function(a: int = 1, *, b: Any = ([],)) -> Any:
        return a, b, cell

    class Own:
        items: ClassVar[list[int]] = []

        def method(self) -> None:
            pass

    def changed(change: Callable[[], object]) -> bool:
        watch = Watch([], [function], [Own])
        assert watch.is_unchanged()
        change()
        return not watch.is_unchanged()

    assert changed(lambda: cell.append(2))
    assert changed(lambda: function.__kwdefaults__["b"][0].append(1))
    assert changed(lambda: setattr(function, "__defaults__", (2,)))
    assert changed(lambda: setattr(function, "note", []))
    assert changed(lambda: function.note.append(1))  # type: ignore[attr-defined]
    assert changed(lambda: setattr(function, "__doc__", "another"))
    assert changed(lambda: function.__annotations__.update(a=str))
    assert changed(lambda: setattr(function, "__code__", (lambda: cell).__code__))
    assert changed(lambda: Own.items.append(1))
    assert changed(lambda: setattr(Own, "items", []))
    assert changed(lambda: setattr(Own, "method", lambda self: None))
    assert changed(lambda: setattr(Own, "_kept_", 1))
    assert changed(lambda: delattr(Own, "method"))


def test_a_class_that_takes_its_objects_apart_in_another_way_is_noticed() -> None:
    class Library:
        pass

    one = Library()
    watch = Watch([one])
    assert watch.is_unchanged()
    Library.__reduce__ = lambda self: (list, ())  # type: ignore[method-assign]
    assert not watch.is_unchanged()


def test_a_reducer_of_a_class_is_noticed() -> None:
    one = Plain(n=1)
    watch = Watch([one])
    assert watch.is_unchanged()
    copyreg.pickle(Plain, lambda value: (Plain, ()))
    try:
        assert not watch.is_unchanged()
    finally:
        del copyreg.dispatch_table[Plain]


MANY: dict[str, tuple[Callable[[int], Any], Callable[[Any], object], Callable[[Any], object]]] = {
    "lists": (lambda n: [n], lambda x: x.append(1), lambda x: x.pop()),
    "dicts": (lambda n: {"n": n}, lambda x: x.update(a=1), lambda x: x.pop("a")),
    "sets": (lambda n: {n}, lambda x: x.add("a"), empty_and_refill),
    "objects": (
        lambda n: Plain(n=n, a=0),
        lambda x: setattr(x, "a", 1),
        lambda x: setattr(x, "a", 0),
    ),
    "slots": (Slots, lambda x: setattr(x, "b", 1), lambda x: delattr(x, "b")),
    "lists in tuples": (
        lambda n: (n, [n]),
        lambda x: x[1].append(1),
        lambda x: x[1].pop(),
    ),
}


@pytest.mark.parametrize(("make", "change", "back"), MANY.values(), ids=MANY.keys())
def test_one_of_very_many_changes(
    make: Callable[[int], Any], change: Callable[[Any], object], back: Callable[[Any], object]
) -> None:
    items = [make(n) for n in range(10_000)]
    watch = Watch([items])
    for at in (1, 5_000, 9_999):
        for _ in range(4):  # by now their pages may be watched
            assert watch.is_unchanged()
        one = items[at]
        change(one)
        assert not watch.is_unchanged()
        assert not watch.is_unchanged()
        back(one)
    held = [*items]  # which writes all of them
    assert watch.is_unchanged()
    held[7_000] = items[7_000] = make(7_000)
    assert not watch.is_unchanged()
