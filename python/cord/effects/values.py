"""The things that the analysis tells apart while it follows values through a function."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

PARAM = "param"  # what a parameter held when the function was entered, or what it reaches
FREE = "free"  # likewise a variable of a function around
GLOBAL = "global"  # likewise a variable of a module, a class or a function's defaults
ALLOC = "alloc"  # made by the function itself
CONST = "const"  # a number, a string, or something else that cannot change
FUNC = "func"
BOUND = "bound"  # a method with its object
CLASS = "class"
MODULE = "module"
LIB = "lib"  # something of a library, by its dotted name
UNKNOWN = "unknown"

OUTSIDE = frozenset({PARAM, FREE, GLOBAL})

ITEM = "[]"
WINDOWS = frozenset({"ndarray", "array.array", "memoryview"})  # types with parts that share
SLICE = "[:]"  # a part of an array is a window on it
_DEEPEST = 2
T = TypeVar("T")


class Obj(NamedTuple):
    """An abstract object.

    Attributes:
        kind: One of the kinds above.
        owner: The module of a global, function or class; the place of what is allocated.
        name: The name of a variable, function, class or library object; the type, as far as it is
            known, of what is allocated or constant.
        path: How it is reached from the variable: (".table", "[]").
    """

    kind: str
    owner: str
    name: str
    path: tuple[str, ...] = ()

    def reach(self, step: str) -> Obj:
        """What is reached from here by one step more; below some depth all is one."""
        if len(self.path) >= _DEEPEST:
            return self
        return Obj(self.kind, self.owner, self.name, (*self.path, step))

    @property
    def root(self) -> Obj:
        """The variable itself."""
        return Obj(self.kind, self.owner, self.name)


Value = frozenset[Obj]
"""What an expression may be: one of these."""

NOTHING: Value = frozenset()


def const(type_name: str = "") -> Obj:
    """A value that cannot change."""
    return Obj(CONST, "", type_name)


def one(obj: Obj) -> Value:
    """The value that is surely this object."""
    return frozenset((obj,))


SCALAR: Value = one(const())
TEXT: Value = one(const("str"))


def ordered(value: Iterable[T]) -> list[T]:
    """What is in a set, in an order that does not hang on the hash seed, nor what is said then."""
    found = list(value)
    if len(found) > 1:
        found.sort()
    return found


def plain(obj: Obj) -> Obj:
    """A closure without the variables that it was made with."""
    return obj.root if obj.kind == FUNC else obj


def outward(obj: Obj) -> Obj:
    """An object as callers see it: what a function made is told by its type alone."""
    return Obj(ALLOC, "", obj.name) if obj.kind == ALLOC else plain(obj)


def may_be_new(value: Value) -> bool:
    """Whether it may be the result of a call that is not known, and so no object seen before."""
    return any(obj.kind == UNKNOWN for obj in value)
