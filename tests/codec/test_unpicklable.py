"""An object that cannot be pickled is found inside what holds it, and said what it is."""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections import OrderedDict, deque, namedtuple

import pytest

from cord.runtime.travel.codec import encode_error, explain_unpicklable, result_error

Pair = namedtuple("Pair", "left right")


class Plain:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slotted:
    __slots__ = ("child",)


@dataclasses.dataclass
class Options:
    handlers: list = dataclasses.field(default_factory=list)


def slotted(child):
    one = Slotted()
    one.child = child
    return one


def tree_with_parents():
    root = Plain(children=[])
    root.children.append(Plain(parent=root))
    root.culprit = threading.Lock()
    return root


def ring():
    one = Plain()
    one.next = Plain(next=one, bad=BAD)
    return one


def closure_over(held):
    return lambda: held


BAD = threading.Lock()


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (BAD, "", "is a lock of threads"),
        ([1, (2, BAD)], ": [1][1]", "is a lock of threads"),
        ({"callback": BAD}, ": ['callback']", "is a lock of threads"),
        ({BAD: 1}, "", "is a lock of threads"),
        (Plain(a=Plain(b=BAD)), ": .a.b", "is a lock of threads"),
        (slotted(BAD), ": .child", "is a lock of threads"),
        (Options(handlers=[1, 2, BAD]), ": .handlers[2]", "is a lock of threads"),
        (Pair(1, BAD), ": .right", "is a lock of threads"),
        (deque([BAD]), ": [0]", "is a lock of threads"),
        (OrderedDict(a=BAD), ": ['a']", "is a lock of threads"),
        (tree_with_parents(), ": .culprit", "is a lock of threads"),
        (ring(), ": .next.bad", "is a lock of threads"),
        (Plain(x=BAD).__init__, ": .__self__.x", "is a lock of threads"),
        (ValueError(1, BAD), ": .args[1]", "is a lock of threads"),
        ([x for x in ()] or (x for x in ()), "", "is a generator"),
        (closure_over(BAD), ": (its variable 'held')", "is a lock of threads"),
    ],
)
def test_path_and_reason(value, path, reason):
    found, why = explain_unpicklable(value, "the value")
    assert why.startswith(reason)
    if path:
        assert found == "the value" + path
    else:
        assert found.startswith("the value")


def test_functools_partial_is_looked_into():
    path, reason = explain_unpicklable(functools.partial(print, BAD), "it")
    assert reason == "is a lock of threads"
    assert path.startswith("it: ")


def test_an_open_file_is_called_one(tmp_path):
    with open(tmp_path / "f", "w") as file:
        path, reason = explain_unpicklable({"log": file}, "argument 'options' of compare()")
    assert path == "argument 'options' of compare(): options['log']"
    assert reason == "is an open file (TextIOWrapper)"


def test_deep_nesting_is_called_so():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "nested too deeply" in explain_unpicklable(deep, "it")[1]


def compare(pattern, options=None, *more, **named):
    """A function to call with what cannot travel."""


@pytest.mark.parametrize(
    ("args", "kwargs", "said"),
    [
        ((1, {"callback": BAD}), {}, "argument 'options' of compare(): options['callback']"),
        ((1, 2, BAD), {}, "argument 3 of compare()"),
        ((1,), {"options": BAD}, "argument 'options' of compare()"),
    ],
)
def test_arguments_are_named_by_their_parameter(args, kwargs, said):
    error = encode_error(TypeError("cannot"), (args, kwargs), compare, "search.py:14")
    assert str(error).startswith(f"search.py:14: {said} is a lock of threads and cannot be sent")
    assert "\n\nhint: " in str(error)
    assert isinstance(error.__cause__, TypeError)


def test_results_are_named_by_their_function():
    error = result_error(TypeError("cannot"), [BAD], "compare")
    assert error.message.startswith("the result of compare(): [0] is a lock of threads")
