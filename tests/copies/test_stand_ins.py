"""What stands for `type` in copies is `type` to all who ask, but of what stands for values."""

from __future__ import annotations

import subprocess
import sys

import pytest

ASK = """
import abc, builtins, copy, dataclasses, enum, functools, inspect, pickle, typing
from cord.runtime.copies import unknown
from cord.runtime.copies.unknown import kinds, leaves

true = type
before = {{type: "kept"}}

class Meta(type):
    pass

kinds.watch()
leaf = leaves.UnknownText("sample", None)
assert type is not true
assert {fact}
"""


@pytest.mark.parametrize(
    "fact",
    [
        "type(leaf) is str and type('') is str and true(leaf) is leaves.UnknownText",
        "type(3) is int and type(type) is type and type(type(3)) is type and type(Meta) is type",
        "type(Meta('A', (), {})) is Meta and isinstance(Meta, type) and issubclass(Meta, type)",
        "isinstance(int, type) and not isinstance(3, type) and isinstance(type, type)",
        "type == true and true == type and before[type] == 'kept' and type in {true}",
        "repr(type) == repr(true) and type.__name__ == 'type' and type.__module__ == 'builtins'",
        "inspect.getattr_static(Meta, '__mro__', 3) and inspect.getattr_static(3, 'real')",
        "inspect.getattr_static('', 'join') and inspect.getattr_static(Meta('A', (), {}), 'x', 1)",
        "type.__dict__['__mro__'].__get__(type)[-2:] == (true, object)",
        "type.__dict__['__dict__'].__get__(type(3)) and type.mro(int) == [int, object]",
        "type('A', (Meta,), {'x': 1}).x == 1 and type('A', (type,), {}).__mro__[1] is true",
        "type('A', (), {}).__module__ == __name__ and [*vars(type('A', (), {'b': 1}))][0] == 'b'",
        "type[int].__origin__ is type and type[int] == true[int]",
        "(type | None) == (true | None) == (None | type)",
        "copy.deepcopy([type, true]) == [type, true] and copy.copy(type) is type",
        "pickle.loads(pickle.dumps([type, true, type(None)])) == [type, true, type(None)]",
        "pickle._loads(pickle._dumps([type, true, type(None)])) == [type, true, type(None)]",
        "builtins.type is true and isinstance(super(Meta, Meta), super)",
    ],
)
def test_it_is_what_it_was(fact: str) -> None:
    ask(fact)


def test_classes_are_derived_from_it() -> None:
    ask(
        """True
class Own(type):
    def __new__(mcs, name, bases, names, *, more=0):
        return type.__new__(mcs, name, bases, {**names, "more": more})

class Both(abc.ABCMeta, type):
    pass

class Named(metaclass=type):
    name = 1

class Abstract(abc.ABC, metaclass=type):
    pass

class Made(metaclass=Own, more=2):
    pass

class Shape(typing.Protocol):
    x: int

Runtime = typing.runtime_checkable(Shape)
assert Own.__mro__ == (Own, true, object) and type(Own) is type and type(Made) is Own
assert Made.more == 2 and type(Named) is type and type(Abstract) is abc.ABCMeta
assert type(Both("B", (), {})) is Both and isinstance(Made, type)
assert not isinstance(3, Runtime) and isinstance(dataclasses.make_dataclass("P", ["x"])(1), Runtime)
assert enum.Enum("E", "a b").a.value == 1 and type(enum.Enum("E", "a")) is enum.EnumType

@functools.singledispatch
def kind(thing):
    return "other"

kind.register(type, lambda thing: "class")
assert kind(3) == "other" and kind(int) == "class"
"""
    )


def ask(fact: str) -> None:
    made = subprocess.run(
        [sys.executable, "-c", ASK.format(fact=fact)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
