"""The columns of rows, and what is said of classes, against the interpreter."""

from __future__ import annotations

import builtins
import contextlib
import copy
import importlib
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cord._core import is_plain
from cord.knowledge import classes, functions, methods, objects
from cord.runtime.objects import iterators
from cord.runtime.objects.classes import is_trusted_type

MADE: dict[str, Callable[[], Any]] = {
    "list": lambda: [7, 8, 9],
    "dict": lambda: {7: 70, 8: 80},
    "set": lambda: {7, 8, 9},
    "bytearray": lambda: bytearray(b"abc"),
    "collections.deque": lambda: deque([7, 8, 9]),
}


class Thing:
    """An object of the program's, of which nobody asks anything."""

    def touched(self, *_: object) -> Any:
        raise AssertionError("it was looked at")

    __eq__ = __hash__ = __bool__ = __lt__ = __iter__ = touched  # type: ignore[assignment]
    __len__ = __index__ = __int__ = __repr__ = __call__ = touched


class Quiet:
    """An object of the program's that can be a key."""


class Equal(int):
    """One that is equal to what is there already."""


def changers(type_name: str) -> list[tuple[str, str]]:
    return [(type_name, name) for name in sorted(methods.changers_of(type_name))]


CHANGERS = [pair for name in methods.CHANGEABLE for pair in changers(name)]


def inside(container: Any) -> list[Any]:
    return [*container, *container.values()] if isinstance(container, dict) else [*container]


def arguments(one: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Arguments with an object among them: as the last one, and as an item of what is walked."""
    yield "last", (one,)
    yield "last", (0, one)
    yield "last", (7, one)
    yield "items", ([one],)
    yield "items", ({7: one},)
    yield "items", ({one: 7},)


@pytest.mark.parametrize(("type_name", "method"), CHANGERS)
def test_what_a_method_puts_into_its_object(type_name: str, method: str) -> None:
    found = set()
    for thing in (Quiet(), Equal(7)):
        for how, given in arguments(thing):
            container = MADE[type_name]()
            with contextlib.suppress(TypeError, ValueError, KeyError, IndexError):
                getattr(container, method)(*given)
            if any(one is thing for one in inside(container)):
                found.add(how)
    said = methods.TYPES[type_name][method].puts
    assert found == ({said} if said else set())


@pytest.mark.parametrize(("type_name", "method"), CHANGERS)
def test_what_a_change_does_not_look_at(type_name: str, method: str) -> None:
    row = methods.TYPES[type_name][method]
    given: list[tuple[Any, ...]] = []
    if row.looks == "nothing":
        given = [(), (Thing(),)]
    elif row.looks == "key":
        given = [(), (0, Thing()), (7, Thing())]
    elif row.looks == "items":
        given = [([Thing()],)]
    elif row.looks == "pairs":
        given = [({1: Thing()},)]
    changed = False
    for one in given:
        container = MADE[type_name]()
        with contextlib.suppress(TypeError, IndexError):
            getattr(container, method)(*one)
            changed = True
    assert changed or row.looks in ("own", "all")


@pytest.mark.parametrize("type_name", ["list", "collections.deque"])
def test_at_which_end_a_method_works(type_name: str) -> None:
    make, kind = MADE[type_name], type(MADE[type_name]())
    for name, row in methods.TYPES[type_name].items():
        if row.end is None:
            continue
        given = () if row.puts is None else ([1],)
        short, long = make(), kind([*make(), "more"])
        assert getattr(short, name)(*given) == getattr(long, name)(*given)
        if row.end == "back":
            before = list(make())
            assert list(short)[: len(before)] == before
            assert len(short) > len(before)
        else:
            assert [*short, "more"] == list(long)


@pytest.mark.parametrize("name", sorted(functions.CONTAINERS))
def test_what_builtins_give_that_is_walked_twice(name: str) -> None:
    given = {"range": 3, "chr": 97, "bin": 5, "hex": 5, "oct": 5}.get(name, "ab")
    made = getattr(builtins, name)(
        [(1, 2)] if name == "dict" else b"ab" if "byte" in name else given
    )
    assert iter(made) is not made
    assert list(made) == list(made)


METHODS = [
    (cls, name)
    for cls in methods.BUILTIN
    for name, row in methods.TYPES[cls.__name__].items()
    if row.gives_container and not name.startswith("__")
]


@pytest.mark.parametrize(("cls", "name"), METHODS)
def test_what_methods_give_that_is_walked_twice(cls: type, name: str) -> None:
    value: Any = {str: "a b", bytes: b"a b", bytearray: bytearray(b"a b"), dict: {1: 2}}.get(
        cls, cls()
    )
    text = value[1:2] if cls in (str, bytes, bytearray) else [1]
    for given in ((), (text,)):
        with contextlib.suppress(TypeError):
            made = getattr(value, name)(*given)
            assert iter(made) is not made
            assert list(made) == list(made)
            return
    raise AssertionError("no sample fits")


def test_views_are_told_by_their_names() -> None:
    assert {"items", "keys", "values"} == methods.VIEW_NAMES


def own(name: str, result: Any) -> Any:
    """An object whose class has one special method, which gives this."""
    return type("Own", (), {name: lambda self, *_: result})()


SPECIAL = [name for name in dir(builtins) if (row := functions.builtin(name)) and row.special]


@pytest.mark.parametrize("name", SPECIAL)
def test_builtins_that_call_the_method_of_their_name(name: str) -> None:
    row, result = functions.builtin(name), Quiet()
    assert row is not None
    given = (own(f"__{name}__", result), *([2] if name in ("divmod", "pow") else []))
    if row.special == "free":
        assert getattr(builtins, name)(*given) is result
    else:
        with pytest.raises(TypeError):
            getattr(builtins, name)(*given)


def test_names_of_what_makes_containers_that_scouts_change() -> None:
    assert {"list", "sorted", "deque", "nlargest"} <= functions.MAKER_NAMES
    assert functions.MAKER_NAMES.isdisjoint({"tuple", "frozenset", "Counter", "map", "min"})


@pytest.mark.parametrize("name", sorted(functions.TAKING_CONTAINERS))
def test_what_takes_containers_alone(name: str) -> None:
    with pytest.raises(TypeError):
        getattr(builtins, name)(5)
    getattr(builtins, name)([(1, 2)] if name == "dict" else [])


def test_iterators_that_are_walked_together_are_those_that_are_known() -> None:
    assert {cls.__name__ for cls in iterators.LAZY} == functions.WRAPPERS


def class_of(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


PLAIN_VALUES: dict[str, tuple[Any, ...]] = {
    "datetime.date": (2020, 1, 2),
    "datetime.datetime": (2020, 1, 2),
    "decimal.Decimal": ("1.5",),
    "fractions.Fraction": (1, 3),
    "uuid.UUID": ("12345678123456781234567812345678",),
    "array.array": ("i", [1, 2]),
    "numpy.ndarray": (3,),
}


@pytest.mark.parametrize("dotted", sorted(classes.PLAIN))
def test_values_that_are_plain(dotted: str) -> None:
    cls = class_of(dotted)
    if (classes.home_of(cls.__module__), cls.__name__) != tuple(dotted.rsplit(".", 1)):
        assert cls.__name__ in (
            "bool",
            "bool_",
            "str_",
            "bytes_",
        )  # of one version of NumPy or another
        return
    assert is_trusted_type(cls)
    if dotted == "datetime.timezone":
        value = cls.utc
    elif dotted.startswith("re."):
        pattern = importlib.import_module("re").compile("a")
        value = pattern if dotted == "re.Pattern" else pattern.match("a")
    else:
        value = cls(*PLAIN_VALUES.get(dotted, ()))
    assert is_plain(value)
    assert not is_trusted_type(type("Own", (), {"__module__": "datetime"}))
    if dotted != "re.Match":
        assert type(pickle.loads(pickle.dumps(value))) is cls
    if dotted in classes.NUMBERS:
        assert copy.deepcopy(value) == value
        assert hash(value) == hash(copy.deepcopy(value))


def test_atoms_cannot_be_changed() -> None:
    for name in classes.ATOMS:
        row = methods.TYPES.get(name, {})
        assert not any(one.changes for one in row.values())
    assert {*(cls.__name__ for cls in methods.BUILTIN), "bool"} >= classes.ATOMS


def test_attributes_that_tell_an_array_or_a_container() -> None:
    assert {"shape", "T", "dtype", "ndim", "reshape", "astype", "ravel"} <= objects.ARRAY_ONLY
    assert objects.ARRAY_ONLY.isdisjoint({"real", "imag", "copy", "sort", "count"})
    assert {"append", "extend", "sort", "add", "items", "keys", "values"} <= objects.CONTAINER_ONLY
    assert objects.CONTAINER_ONLY.isdisjoint({"upper", "real", "split", "isoformat"})
