"""What classes are to guards, and that guards ask again when a class is another one by then."""

from __future__ import annotations

import collections
import csv
import dataclasses
import decimal
import enum
import fractions
import io
import itertools
import re
import reprlib
from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from telling import Any_, Lazy, told
from test_guard import does

from cord import _core
from cord.runtime.guards import harmless
from cord.runtime.guards.kinds import kind_of
from cord.runtime.objects.classes import is_trusted_type


class Color(enum.Enum):
    RED = 1


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self) -> None:
        self.x = 1


@dataclasses.dataclass
class Point:
    x: int
    y: Any = None


class Fresh:
    """A class for each test, which changes it."""

    value: Any = 1


@dataclasses.dataclass
class Telling:
    x: int

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        return "of its own"


class Annotated:
    x: int = 1


class Season(enum.Enum):
    SPRING = 1
    weather: str


Pair = collections.namedtuple("Pair", "left right")
WHAT = [
    (list, set()),
    (numpy.ndarray, {"trusted"}),
    (fractions.Fraction, {"trusted", "taken_apart"}),
    (collections.OrderedDict, {"library_dict"}),
    (collections.Counter, {"library_dict"}),
    (type({}.items()), {"view"}),
    (collections.deque, {"deque"}),
    (enum.EnumMeta, {"enumerates"}),
    (Pair, {"named_tuple"}),
    (Point, {"simple", "record", "taken_apart"}),
    (Slotted, {"simple", "record", "taken_apart"}),
    (Any_, {"simple", "taken_apart"}),
    (Telling, {"simple", "taken_apart"}),
    (Annotated, {"simple", "record", "taken_apart"}),
    (Season, {"enumeration", "taken_apart"}),
    (re.Match, {"trusted"} if is_trusted_type(re.Match) else set()),
    (type(csv.reader([])), set()),
    (itertools.chain, set()),
]

# These C code makes when their modules are imported, in later Pythons more of them. Nobody can
# change one for all that.
BUILT_IN = [
    itertools.chain,
    collections.deque,
    collections.defaultdict,
    io.StringIO,
    decimal.Decimal,
]


@pytest.mark.parametrize("cls", [int, *BUILT_IN])
def test_built_in_is_what_cannot_be_changed(cls: type) -> None:
    assert _core.is_fixed(cls)
    assert not _core.is_made_by_statement(cls)
    assert not _core.is_fixed(type("Below", (cls,), {}))
    assert _core.is_made_by_statement(type("Below", (cls,), {}))


@pytest.mark.parametrize(("cls", "what"), WHAT)
def test_what_classes_are(cls: type, what: set[str]) -> None:
    found = {name for name, holds in vars(kind_of(cls)).items() if holds is True}
    assert found - {"falls_back"} == {"looks_up", *what}


def test_members_of_the_librarys_classes() -> None:
    assert kind_of(dict).members["get"] == "reads"
    assert kind_of(dict).members["fromkeys"] == "makes"
    assert kind_of(dict).changers["update"] == "pairs"
    assert kind_of(collections.Counter).members["most_common"] == "library"
    assert kind_of(Pair).members == {
        **dict.fromkeys(("left", "right"), "computes"),
        **dict.fromkeys(("_asdict", "_make", "_replace"), "library"),
    }
    assert kind_of(Color).members == {"name": "computes", "value": "computes"}
    assert kind_of(fractions.Fraction).members["numerator"] == "computes"
    assert kind_of(Point).members == {}


@pytest.fixture
def box() -> Iterator[Any]:
    made = type("Box", (type("Base", (Fresh,), {}),), {})()
    made.own = 2
    told.clear()
    yield made
    assert told == []


def refuses(operation: str, *args: Any) -> bool:
    try:
        does(operation, *args)
    except _core.ScoutEnd:
        return True
    return False


def tell(*_: Any) -> Any:
    told.append("told")
    return True


@pytest.mark.parametrize("above", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "member", "operation", "args"),
    [
        ("value", property(tell), "attr", ("value",)),
        ("__getattribute__", tell, "attr", ("own",)),
        ("__eq__", tell, "plain", ()),
        ("__bool__", tell, "truth", ()),
        ("__repr__", tell, "format", (-1, "")),
        ("__del__", lambda _: None, "plain", ()),
    ],
)
def test_a_class_that_is_changed_is_another(
    box: Any, above: int, name: str, member: Any, operation: str, args: tuple[Any, ...]
) -> None:
    cls = type(box).__mro__[above]
    before = vars(cls).get(name)
    assert not refuses(operation, box, *args)
    assert not refuses(operation, box, *args)
    setattr(cls, name, member)
    assert refuses(operation, box, *args)
    assert refuses(operation, box, *args)
    if before is None:
        delattr(cls, name)
    else:
        setattr(cls, name, before)
    assert not refuses(operation, box, *args)


def test_a_class_with_other_bases_is_another(box: Any) -> None:
    assert not refuses("plain", box)
    type(box).__bases__ = (type("Other", (Fresh,), {"__eq__": tell}),)
    assert refuses("plain", box)


@dataclasses.dataclass
class Computed:
    x: int

    def __post_init__(self) -> None:
        self.x += 1


@dataclasses.dataclass
class Factory:
    x: Any = dataclasses.field(default_factory=lambda: told.append("told"))


@pytest.mark.parametrize(
    ("cls", "args", "made"),
    [
        (Point, (1,), Point(1)),
        (Pair, (1, 2), Pair(1, 2)),
        (Color, (1,), Color.RED),
        (Telling, (1,), Telling(1)),
        (Computed, (1,), None),
        (Factory, (), None),
        (Slotted, (), None),
    ],
)
def test_instances_are_made_where_no_code_of_the_class_runs(
    cls: type, args: tuple[Any, ...], made: Any
) -> None:
    if made is None:
        assert refuses("call", cls, *args)
    else:
        assert does("call", cls, *args) == made
    assert told == []


def test_an_object_with_an_attribute_that_the_program_sets_is_not_passed_on() -> None:
    heap, guard = _core.Heap(), _core.Guard(tell, tell)
    heap.enter("a run")
    try:
        assert heap.seen(([Point(1)],)) == ([Point(1)],)
        guard.sets("y")
        for whole in (Point(1), [Point(1)], {"a": (Point(1),)}, Slotted()):
            with pytest.raises(_core.ScoutEnd):
                heap.seen((whole,))
        assert heap.seen((Telling(1), [1])) == (Telling(1), [1])
    finally:
        heap.leave()


def test_no_attribute_is_read_of_a_name_that_the_program_sets(box: Any) -> None:
    heap, guard = _core.Heap(), _core.Guard(tell, tell)
    heap.enter("a run")
    try:
        assert guard.attr(box, "own") == 2
        guard.sets("own", "other")
        for name in ("own", "other"):
            with pytest.raises(_core.ScoutEnd):
                guard.attr(box, name)
        assert guard.attr(box, "value") == 1
        assert guard.attr(collections, "deque") is collections.deque
    finally:
        heap.leave()
    assert not refuses("attr", box, "own")


def test_what_the_user_declares_is_asked_again() -> None:
    name = f"{Lazy.__module__}.{Lazy.__qualname__}.computed"
    assert refuses("attr", Lazy(), "computed")
    harmless.assume(frozenset({name}))
    try:
        assert not refuses("attr", Lazy(), "computed")
        below = type("Below", (Lazy,), {})()
        assert refuses("attr", below, "computed")  # of that class it was not said
        assert told == ["Lazy.computed"]
    finally:
        told.clear()
        harmless.assume(frozenset())
    assert refuses("attr", Lazy(), "computed")


def test_no_code_of_a_metaclass_runs() -> None:
    class Meta(type):
        __eq__ = __hash__ = __getattribute__ = __getattr__ = tell  # type: ignore[assignment]

    class Odd(metaclass=Meta):
        pass

    odd = object.__new__(Odd)
    told.clear()
    assert refuses("plain", odd)
    assert refuses("attr", odd, "x")
    assert told == []


def test_a_slot_under_another_classs_name_is_none() -> None:
    class Other:
        borrowed = vars(Slotted)["y"]

    assert kind_of(Other).slots == ()
    assert not refuses("plain", Other())


@pytest.mark.parametrize("cls", [Slotted, Annotated])
def test_an_object_with_a_changed_part_is_not_passed_on(cls: Any) -> None:
    inner, changed = [1], [1, 2]
    whole = cls()
    whole.y = inner
    heap = _core.Heap()
    heap.shadow(inner, changed)
    heap.enter("a run")
    try:
        assert heap.seen((inner,)) == ([1, 2],)
        with pytest.raises(_core.ScoutEnd):
            heap.seen((whole,))
    finally:
        heap.leave()
    assert whole.y is inner


def test_an_object_within_itself_is_not_looked_through() -> None:
    knot: Any = Fresh()
    knot.knot = knot
    assert refuses("plain", knot)
