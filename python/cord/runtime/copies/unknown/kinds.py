"""What `type` says in copies of what stands for a value: what it will say of the value.

Programs and libraries ask whether a value is exactly a text or a number. What stands for one is of
a class of its own. So in copies that name leads to a class that says otherwise, and is in all else
what `type` is: it is given to functions in C, derived from, compared and looked into.
"""

from __future__ import annotations

import builtins
import copyreg
import sys
from importlib.machinery import SourceFileLoader
from sys import _getframe
from types import ModuleType

from cord._core import put_unseen
from cord.runtime.copies.placeholders import Placeholder, value_of
from cord.runtime.objects.reach import bind_for_cord

from .leaf import Leaf
from .lists import PlainDict, PlainList
from .things import UnknownThing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_type: Final = type
_Alias: Final = _type(list[int])
_exec_module: Final = SourceFileLoader.exec_module
_build_class: Final = builtins.__build_class__


class _Says(type):
    """The class of what stands for `type`."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        match args:
            case (thing,) if not kwargs:
                found = _type(thing)
            case (name, tuple() as bases, dict() as names):
                place = {"__module__": _getframe(1).f_globals.get("__name__"), **names}
                return _type(name, tuple(map(_true, bases)), {**names, **place}, **kwargs)
            case _:
                return _type(*args, **kwargs)
        if found is _type or found is _Says:
            return cls
        if found is Placeholder:
            return _type(value_of(thing))
        if issubclass(found, Leaf):
            return _kind_of(thing, found)
        if found is PlainList or found is PlainDict:
            return found.__mro__[1]
        return found

    def __getattribute__(cls, name: str) -> Any:
        return getattr(_type, name)

    def __setattr__(cls, name: str, value: object) -> None:
        setattr(_type, name, value)  # which says that it cannot be

    def __delattr__(cls, name: str) -> None:
        delattr(_type, name)

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, _type)

    def __subclasscheck__(cls, thing: type) -> bool:
        return issubclass(thing, _type)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is _type

    def __hash__(cls) -> int:
        return hash(_type)

    def __or__(cls, other: Any) -> Any:
        return _type | _true(other)

    def __ror__(cls, other: Any) -> Any:
        return _true(other) | _type

    def __getitem__(cls, item: Any) -> Any:
        return _Alias(cls, item)  # type: ignore[misc]

    def __repr__(cls) -> str:
        return repr(_type)


def _kind_of(thing: Any, found: Any) -> Any:
    if found is UnknownThing:
        return _type(thing._sample)
    # behind the leaf's own class, `Leaf` and what is between
    return next(one for one in found.__mro__ if not issubclass(one, Leaf))


def _true(base: Any) -> Any:
    """A class, or whatever it is; `type` itself for what stands for it."""
    return _type if _type(base) is _Says else base


def build_class(function: Any, name: str, /, *bases: Any, **named: Any) -> Any:
    """As a `class` statement makes one, which may be derived from `type`."""
    if "metaclass" in named:
        named["metaclass"] = _true(named["metaclass"])
    return _build_class(function, name, *map(_true, bases), **named)


def stand_in_type() -> Any:
    """What stands for `type`."""
    return _type.__call__(_Says, "type", (_type,), {"__slots__": ()})


class _Builtins(ModuleType):
    """Of the module, `type` is what it was: pickles look there, and for that only."""

    type = property(lambda _self: _type)


def _spare(module: ModuleType) -> None:
    """Let a module of Cord's, or Python's picklers, have `type` itself."""
    if module.__name__.partition(".")[0] in ("cord", "pickle"):
        vars(module).setdefault("type", _type)


def _execute(loader: Any, module: ModuleType) -> None:
    _spare(module)
    _exec_module(loader, module)


def watch() -> None:
    """Have the program ask this, in a copy."""
    for module in list(sys.modules.values()):
        if type(module) is ModuleType:
            _spare(module)
    SourceFileLoader.exec_module = _execute  # type: ignore[assignment]
    bind_for_cord(builtins, {"type": stand_in_type(), "__build_class__": build_class})
    builtins.__class__ = _Builtins
    put_unseen(copyreg.dispatch_table, _Says, lambda _cls: (getattr, (int, "__class__")))
