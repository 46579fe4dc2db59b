"""What pickle keeps of the instances of a class, and how they travel as they lie in memory."""

from __future__ import annotations

import copyreg
import sys
from contextlib import suppress
from types import MemberDescriptorType

from cord.runtime.objects.classes import (
    HOOKS,
    bases_of_enums,
    is_made_of_attributes,
    remembered,
)
from cord.runtime.travel import arrivals

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Slots = list[tuple[int, str, Any]]

MAIN = arrivals.MAIN
# All that there is of an instance travels, or it is known to be so; the pickles of the program's
# own classes are compared each time; those of libraries' at first.
WHOLE, WATCHED, TRIED = "whole", "watched", "tried"

_POINTER = 8  # bytes
_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_PLAIN_BASES = (object, list, dict, tuple, set, frozenset, int, float, complex, str, bytes)
_KNOWN = frozenset(
    "builtins collections collections.abc datetime decimal fractions functools itertools uuid "
    "pathlib types re enum ipaddress array operator _operator random numpy numpy.random".split()
)


@remembered
def form_of(cls: Any) -> str:
    """Which of the three a class is."""
    if cls.__module__.partition(".")[0] == "cord":
        return WHOLE
    if cls in copyreg.dispatch_table:
        return WHOLE if is_of_library(cls) else WATCHED
    if issubclass(cls, bases_of_enums()) and not _has_own(cls, *bases_of_enums()):
        return WHOLE
    if issubclass(cls, BaseException):
        return WATCHED
    if is_of_library(cls):
        return WHOLE if cls.__module__ in _KNOWN or _is_whole(cls) else TRIED
    return WHOLE if _is_whole(cls) else WATCHED


@remembered
def is_of_library(cls: Any) -> bool:
    """Whether a class is of Python's library or of an installed one."""
    name = getattr(cls, "__module__", None)
    if not isinstance(name, str) or name == arrivals.MAIN:
        return False
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    path = getattr(sys.modules.get(name), "__file__", None)
    return isinstance(path, str) and ("site-packages" in path or "dist-packages" in path)


@remembered
def is_identity(cls: Any) -> bool:
    """Whether instances can be nothing but themselves: plain ones that do not compare."""
    return base_of(cls) is object and cls.__eq__ is object.__eq__ and form_of(cls) == WHOLE


def is_made_by_reducer(metaclass: type) -> bool:
    """Whether classes say how they are made anew: a replica may have none under their names."""
    if metaclass not in copyreg.dispatch_table or metaclass.__module__.partition(".")[0] == "cord":
        return False
    return bool(metaclass.__flags__ & _HEAP)  # those in C, as NumPy's of types, have no other ones


@remembered
def lies_open(cls: Any) -> bool:
    """Whether all of an instance is known; its class says of pickling only what its state is."""
    own = (one for one in cls.__mro__ if one not in _PLAIN_BASES)
    return is_of_parts(cls) and not any(name in vars(one) for one in own for name in HOOKS[:4])


@remembered
def is_of_parts(cls: Any) -> bool:
    """Whether an instance is nothing but what it holds, whatever its class says of pickling."""
    base = base_of(cls)
    is_known = base is object or base in _CONTENTS or base in _ITEMS
    return is_known and cls not in copyreg.dispatch_table


@remembered
def is_bare(cls: Any) -> bool:
    """Whether a class in C, which is not `object`, has nothing in its instances but attributes."""
    room = cls.__basicsize__ - object.__basicsize__
    fields = (cls.__dictoffset__ > 0) + (cls.__weakrefoffset__ > 0)
    return cls is not object and fields > 0 and not cls.__itemsize__ and room == _POINTER * fields


@remembered
def is_only_made(cls: Any) -> bool:
    """Whether a call of a class gives another instance each time, which its own code fills."""
    plain = type(cls) is type and cls.__new__ is base_of(cls).__new__
    return plain and is_of_parts(cls)


def _has_own(cls: type, *bases: type) -> bool:
    """Whether a class says itself how instances are pickled, or one above it but for these."""
    known = {*bases, *(one for base in bases for one in base.__mro__)}
    return any(name in vars(one) for one in cls.__mro__ if one not in known for name in _hooks(one))


def _hooks(cls: type) -> tuple[str, ...]:
    return (*HOOKS, "__setstate__") if is_made_of_attributes(cls) else HOOKS


def _is_whole(cls: Any) -> bool:
    """Whether `object` takes instances apart: all their attributes, and what a container has."""
    for base in cls.__mro__:
        if base in _PLAIN_BASES:
            continue
        if not is_made_of_attributes(base):
            return False
        for name in (*HOOKS, "__setstate__"):
            own = vars(base).get(name)
            if own is not None and not _is_of_dataclass(own) and not _is_of_tuple(base, name):
                return False
    return True


def _is_of_dataclass(method: object) -> bool:
    """Whether `dataclass` has given a class this method."""
    known = vars(sys.modules.get("dataclasses", sys))
    return method in (known.get("_dataclass_getstate"), known.get("_dataclass_setstate"))


def _is_of_tuple(cls: type, name: str) -> bool:
    """Whether `namedtuple` has written this method."""
    if name != "__getnewargs__" or not issubclass(cls, tuple) or not hasattr(cls, "_fields"):
        return False
    made: Any = vars(cls)[name]
    return getattr(made, "__module__", "") == "collections" or "namedtuple" in str(
        getattr(made, "__globals__", {}).get("__name__", "")
    )


# ---- as they lie in memory -----------------------------------------------------------------------

# What an immutable one holds, without code of a class above it.
_CONTENTS: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    str: str.__str__,
    bytes: lambda obj: bytes.__getitem__(obj, slice(None)),
    tuple: lambda obj: tuple(tuple.__iter__(obj)),
    frozenset: lambda obj: frozenset(frozenset.__iter__(obj)),
}
# What one holds that is filled when it is there.
_ITEMS: dict[type, Callable[[Any], Any]] = {
    list: lambda obj: list(list.__iter__(obj)),
    set: lambda obj: list(set.__iter__(obj)),
    dict: lambda obj: list(dict.items(obj)),
}


def attributes_of(obj: Any) -> tuple[dict[str, Any] | None, Slots]:
    """What is in an instance, read without code of its class.

    Returns:
        Its dict, if it has one; and its slots, each with the place of its class in the order.
    """
    cls = type(obj)
    slots: Slots = []
    for place, base in enumerate(cls.__mro__):
        for name, slot in vars(base).items() if is_made_of_attributes(base) else ():
            if isinstance(slot, MemberDescriptorType) and slot.__objclass__ is base:
                with suppress(AttributeError):  # it is not set
                    slots.append((place, name, slot.__get__(obj)))
    held = dict(object.__getattribute__(obj, "__dict__")) if cls.__dictoffset__ else None
    return held, slots


def base_of(cls: type) -> Any:
    """The first class above one that was not made by a class statement."""
    return next(one for one in cls.__mro__ if not is_made_of_attributes(one))


def raw(obj: Any) -> Any:
    """How an instance is taken apart so that all of it travels, whatever its class says of it."""
    cls = type(obj)
    base = base_of(cls)
    if issubclass(base, BaseException):
        bare = (*attributes_of(obj), None)
        return arrivals.make_exception, (cls, base, obj.args), bare, None, None, arrivals.fill_raw
    if base is object or base in _CONTENTS or base in _ITEMS:
        made = cls, base, _CONTENTS[base](obj) if base in _CONTENTS else None
        items = _ITEMS[base](obj) if base in _ITEMS else None
        state = (*attributes_of(obj), items)
        return arrivals.make_raw, made, state, None, None, arrivals.fill_raw
    above: Any = next(one for one in cls.__mro__ if is_of_library(one))
    reduced = above.__reduce_ex__(obj, 5)
    if isinstance(reduced, str) or any(part is not None for part in reduced[3:]):
        return reduced
    make, args, state = reduced if len(reduced) == 3 else (*reduced, None)
    filled = above, state, *attributes_of(obj)
    return make, args, filled, None, None, arrivals.fill_above
