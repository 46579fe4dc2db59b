"""An object that cannot be pickled is found inside what holds it, and said what it is."""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
from collections import OrderedDict, deque, namedtuple

import pytest

from cord.runtime.codec import encode_error, explain_unpicklable, result_error

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
    root.culprit = lambda: None
    return root


def ring():
    one = Plain()
    one.next = Plain(next=one, bad=math)
    return one


def local_function():
    def inner():
        pass

    return inner


def local_instance():
    class Inside:
        pass

    return Inside()


FN = lambda: None  # noqa: E731


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (FN, "", "is a lambda"),
        ([1, (2, FN)], ": [1][1]", "is a lambda"),
        ({"callback": FN}, ": ['callback']", "is a lambda"),
        ({FN: 1}, "", "is a lambda"),
        (Plain(a=Plain(b=FN)), ": .a.b", "is a lambda"),
        (slotted(FN), ": .child", "is a lambda"),
        (Options(handlers=[1, 2, FN]), ": .handlers[2]", "is a lambda"),
        (Pair(1, FN), ": .right", "is a lambda"),
        (deque([FN]), ": [0]", "is a lambda"),
        (OrderedDict(a=FN), ": ['a']", "is a lambda"),
        (tree_with_parents(), ": .culprit", "is a lambda"),
        (ring(), ": .next.bad", "is the module math"),
        (Plain(x=FN).__init__, ": .__self__.x", "is a lambda"),
        (ValueError(1, FN), ": .args[1]", "is a lambda"),
        ([x for x in ()] or (x for x in ()), "", "is a generator"),
        ([threading.Lock()], ": [0]", "is a lock of threads"),
        (local_function(), "", "is the function inner(), which is defined inside local_function()"),
        (local_instance(), "", "is of the class Inside, which is defined inside local_instance()"),
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
    path, reason = explain_unpicklable(functools.partial(print, FN), "it")
    assert reason == "is a lambda"
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
        ((1, {"callback": FN}), {}, "argument 'options' of compare(): options['callback']"),
        ((1, 2, FN), {}, "argument 3 of compare()"),
        ((1,), {"options": FN}, "argument 'options' of compare()"),
    ],
)
def test_arguments_are_named_by_their_parameter(args, kwargs, said):
    error = encode_error(TypeError("cannot"), (args, kwargs), compare, "search.py:14")
    assert str(error).startswith(f"search.py:14: {said} is a lambda and cannot be sent")
    assert "\n\nhint: " in str(error)
    assert isinstance(error.__cause__, TypeError)


def test_results_are_named_by_their_function():
    error = result_error(TypeError("cannot"), [FN], "compare")
    assert error.message.startswith("the result of compare(): [0] is a lambda")
