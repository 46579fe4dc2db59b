"""Guards: a scout's operation runs on exact builtin values, and ends the scout on anything else.

In both cases no code of the program runs.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest
import telling
from telling import (
    Any_,
    AnyName,
    Dict,
    Equal,
    EveryName,
    Index,
    Int,
    Lazy,
    List,
    Made,
    Printed,
    Slotted,
    Str,
    Tuple,
    Walker,
    told,
)

from cord import _core


def refuse(*_args: object) -> NoReturn:
    raise _core.ScoutEnd


GUARD = _core.Guard(refuse, refuse)


@pytest.fixture(autouse=True)
def nothing_told() -> Iterator[None]:
    """No code of the program ran."""
    told.clear()
    yield
    assert told == []


def does(operation: str, *args: Any, **kwargs: Any) -> Any:
    heap = _core.Heap()
    heap.enter("a run")
    try:
        return getattr(GUARD, operation)(*args, **kwargs)
    finally:
        heap.leave()


@pytest.mark.parametrize(
    ("operation", "args", "result"),
    [
        ("binary", ("add", 1, 2), 3),
        ("binary", ("add", [1], [2]), [1, 2]),
        ("binary", ("sub", 5, 2.5), 2.5),
        ("binary", ("mul", "ab", 2), "abab"),
        ("binary", ("truediv", 1, 2), 0.5),
        ("binary", ("floordiv", 7, 2), 3),
        ("binary", ("mod", 7, 4), 3),
        ("binary", ("mod", "%s:%d", ("a", 1)), "a:1"),
        ("binary", ("pow", 2, 10), 1024),
        ("binary", ("lshift", 1, 4), 16),
        ("binary", ("rshift", 16, 2), 4),
        ("binary", ("and", 6, 3), 2),
        ("binary", ("or", {1}, {2}), {1, 2}),
        ("binary", ("or", {"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
        ("binary", ("xor", 6, 3), 5),
        ("binary", ("add", datetime.date(2020, 1, 1), datetime.timedelta(1)),
         datetime.date(2020, 1, 2)),
        ("unary", ("neg", 1), -1),
        ("unary", ("pos", True), 1),
        ("unary", ("invert", 1), -2),
        ("compare", ("eq", [1, (2, "x")], [1, (2, "x")]), True),
        ("compare", ("ne", 1, 1.0), False),
        ("compare", ("lt", 1, 2), True),
        ("compare", ("le", "b", "a"), False),
        ("compare", ("gt", (1, 2), (1, 1)), True),
        ("compare", ("ge", {1, 2}, {1}), True),
        ("compare", ("in", 1, [1, 2]), True),
        ("compare", ("not in", "b", "abc"), False),
        ("truth", ([],), False),
        ("truth", ("x",), True),
        ("truth", (object(),), True),
        ("item", ([1, 2], 0), 1),
        ("item", ("abc", slice(1, None)), "bc"),
        ("item", ({"a": 1}, "a"), 1),
        ("slice", (1, 2, None), slice(1, 2)),
        ("call", (len, "abc"), 3),
        ("call", (sorted, [2, 1]), [1, 2]),
        ("call", (math.sqrt, 4), 2.0),
        ("call", (isinstance, 1, int), True),
        ("call", (list, (1, 2)), [1, 2]),
        ("call", (re.sub, "a", "b", "aa"), "bb"),
        ("method", ("a,b", "split", ","), ["a", "b"]),
        ("method", ({"a": 1}, "get", "b", 0), 0),
        ("method", (re.compile("a+"), "findall", "aab"), ["aa"]),
        ("method", (math, "floor", 2.5), 2),
        ("attr", (math, "pi"), math.pi),
        ("seq", ((1, 2),), (1, 2)),
        ("key", ((1, "a"),), (1, "a")),
        ("mapping", ({"a": 1},), {"a": 1}),
        ("set", (1, 2, 2), {1, 2}),
        ("join", ("a", "b"), "ab"),
        ("format", (3, -1, "03d"), "003"),
        ("format", ("x", ord("r"), ">5"), "  'x'"),
        ("plain", ([1, {"a": None}],), [1, {"a": None}]),
    ],
)  # fmt: skip
def test_allowed_on_builtin_values(operation: str, args: tuple[Any, ...], result: Any) -> None:
    found = does(operation, *args)
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("attribute", "of"),
    [("own", Lazy), ("plain", Lazy), ("own", Slotted)],
)
def test_attributes_that_are_only_looked_up(attribute: str, of: type) -> None:
    assert does("attr", of(), attribute) in (1, 2)


USER_CODE: list[tuple[str, Callable[[], Any]]] = [
    ("a list's __getitem__", lambda: does("item", List([1]), 0)),
    ("a dict's __missing__", lambda: does("item", Dict(), "a")),
    ("a tuple's __getitem__", lambda: does("item", Tuple((1,)), 0)),
    ("an index that is an object", lambda: does("item", [1, 2], Index())),
    ("bounds of a slice", lambda: does("item", [1, 2], does("slice", Index(), None, None))),
    ("a string's __add__", lambda: does("binary", "add", Str("a"), "b")),
    ("a list's __add__", lambda: does("binary", "add", List([1]), [2])),
    ("a number's __radd__", lambda: does("binary", "add", 1, Int(2))),
    ("printing by %", lambda: does("binary", "mod", "%s", Printed())),
    ("printing by % in a tuple", lambda: does("binary", "mod", "%s", (Printed(),))),
    ("a number's __eq__", lambda: does("compare", "eq", Int(1), 1)),
    ("__eq__ of an element", lambda: does("compare", "eq", [Int(1)], [1])),
    ("__eq__ in a list", lambda: does("compare", "in", 1, [Equal()])),
    ("a list's __contains__", lambda: does("compare", "in", 1, List([1]))),
    ("a number's __lt__", lambda: does("compare", "lt", Int(1), Int(2))),
    ("__bool__", lambda: does("truth", Int(1))),
    ("__len__", lambda: does("truth", List())),
    ("either of an object", lambda: does("truth", Any_())),
    ("iterating a list of the program's kind", lambda: does("iter", List([1]))),
    ("iterating an object", lambda: does("iter", Any_())),
    ("an iterator of the program's", lambda: does("iter", Walker())),
    ("unpacking a tuple of the program's kind", lambda: does("seq", Tuple((1, 2)))),
    ("a key's __hash__", lambda: does("key", Str("a"))),
    ("an element's __hash__", lambda: does("set", Str("a"))),
    ("a mapping's items", lambda: does("mapping", Dict())),
    ("__format__", lambda: does("format", Printed(), -1, "")),
    ("__str__", lambda: does("format", Printed(), ord("s"), "")),
    ("__repr__ of an element", lambda: does("format", [Printed()], -1, "")),
    ("matching", lambda: does("plain", List([1]))),
    ("a property", lambda: does("attr", Lazy(), "computed")),
    ("__getattr__", lambda: does("attr", AnyName(), "other")),
    ("__getattribute__", lambda: does("attr", EveryName(), "own")),
    ("len", lambda: does("call", len, List([1]))),
    ("str", lambda: does("call", str, Printed())),
    ("repr of an element", lambda: does("call", repr, [Printed()])),
    ("hash", lambda: does("call", hash, Str("a"))),
    ("sum of elements", lambda: does("call", sum, [Int(1), Int(2)])),
    ("max of elements", lambda: does("call", max, [Int(1), Int(2)])),
    ("list of an iterator", lambda: does("call", list, Walker())),
    ("tuple of a list of the program's kind", lambda: does("call", tuple, List([1]))),
    ("a class of the program", lambda: does("call", Made)),
    ("an object that can be called", lambda: does("call", Any_())),
    ("a function of the program", lambda: does("call", telling.telling, object, "x")),
    ("a key= function", lambda: does("call", sorted, [2, 1], key=lambda x: told.append("key"))),
    ("a class as key=", lambda: does("call", sorted, [2, 1], key=Made)),
    ("a class as replacement", lambda: does("call", re.sub, "a", Made, "a")),
    ("a string's own method", lambda: does("method", Str("a"), "upper")),
    ("a dict's get", lambda: does("method", Dict(), "get", "a")),
    ("join of a list of the program's kind", lambda: does("method", ",", "join", List(["a"]))),
    ("str.format", lambda: does("method", "{}", "format", Printed())),
    ("str.format by name", lambda: does("method", "{x}", "format", x=Printed())),
    ("list.index", lambda: does("method", [Equal()], "index", 1)),
    ("list.count", lambda: does("method", [Equal()], "count", 1)),
    ("list.append of the program's kind", lambda: does("mutate", True, List(), "append", 1)),
    ("list.remove", lambda: does("mutate", True, [Equal()], "remove", 1)),
    ("list.sort", lambda: does("mutate", True, [Int(2), Int(1)], "sort")),
    ("list.extend", lambda: does("mutate", True, [], "extend", List([1]))),
    ("a slice that is assigned from an iterator",
     lambda: does("mutate", True, [], "__setitem__", slice(0, 0), Walker())),
    ("dict[key] =", lambda: does("mutate", True, {}, "__setitem__", Str("a"), 1)),
    ("dict.update", lambda: does("mutate", True, {}, "update", Dict(a=1))),
    ("dict.pop", lambda: does("mutate", True, {}, "pop", Str("a"), None)),
    ("set.add", lambda: does("mutate", True, set(), "add", Str("a"))),
    ("set.update", lambda: does("mutate", True, set(), "update", [Str("a")])),
]  # fmt: skip


@pytest.mark.parametrize(
    "operation", [row[1] for row in USER_CODE], ids=[row[0] for row in USER_CODE]
)
def test_code_of_the_program_ends_the_scout(operation: Callable[[], Any]) -> None:
    with pytest.raises(_core.ScoutEnd):
        operation()


def test_what_has_an_effect_is_not_in_the_table() -> None:
    for callee in (print, open, input, next, setattr, iter, map, filter, eval, exec, __import__):
        with pytest.raises(_core.ScoutEnd):
            does("call", callee, "1")


def test_looking_up_never_asks_keys_that_only_have_the_same_hash() -> None:
    key = Equal()
    table = {key: 1}
    told.clear()
    for operation in (
        lambda: does("item", table, 1),
        lambda: does("compare", "in", 1, table),
        lambda: does("method", table, "get", 1),
    ):
        with pytest.raises((_core.ScoutEnd, KeyError)):
            operation()


def test_sets_of_objects_are_not_combined() -> None:
    left, right = {Equal()}, {Equal()}
    told.clear()
    with pytest.raises(_core.ScoutEnd):
        does("binary", "or", left, right)


def test_a_module_with_a_getattr_of_its_own() -> None:
    import types

    module = types.ModuleType("lazy")
    module.__getattr__ = told.append  # type: ignore[method-assign]
    with pytest.raises(_core.ScoutEnd):
        does("attr", module, "value")
