"""Instances of the program's classes in scouts: made and looked into without its code.

Whatever a class could do about these things by code of its own is looked for first; what is left is
what `object` does.
"""

from __future__ import annotations

import abc
import sys
from types import FunctionType, MemberDescriptorType

from cord._core import is_made_by_statement, is_plain
from cord.runtime.objects.classes import ANNOTATES, is_enumeration, is_value_of, remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_METACLASSES = (type, abc.ABCMeta)
# Methods with such names that say nothing of how an instance compares, hashes, counts or prints.
_WITHOUT_BEHAVIOUR = frozenset(
    (*"__init__ __post_init__ __init_subclass__ __call__ __enter__ __exit__".split(), *ANNOTATES)
)
# what keeps a `__repr__` from running in itself: from Python 3.13 on that of `reprlib`
_GUARDING = ("dataclasses", "reprlib")
_TUPLE_HOOKS = (
    *("__iter__", "__len__", "__getitem__", "__eq__", "__lt__", "__hash__", "__contains__"),
    *("__init__", "__getattribute__", "__setattr__"),
)


def parts(value: Any) -> dict[str, Any] | None:
    """The attributes of an instance that has nothing else in it; None for anything else."""
    cls = type(value)
    if not is_simple(cls):
        return None
    found = dict(getattr(value, "__dict__", ()))
    for name, slot in slots(cls):
        if hasattr(value, name):
            found[name] = slot.__get__(value)
    return found


@remembered
def is_simple(cls: Any) -> bool:
    """Whether instances are attributes and nothing else, kept as `object` keeps them."""
    if type(cls) not in _METACLASSES or cls.__itemsize__:
        return False
    if getattr(cls, "__del__", None) is not None:
        return False
    if not all(leaves_to_object(cls, name) for name in ("__new__", "__getattribute__")):
        return False
    return cls is not object and all(map(is_made_by_statement, cls.__mro__[:-1]))


def leaves_to_object(cls: type, name: str) -> bool:
    """Whether a class leaves a method to `object`."""
    return getattr(cls, name) is getattr(object, name)


def slots(cls: type) -> list[tuple[str, Any]]:
    """The slots of a class and of those above it, by name."""
    return [
        (name, slot)
        for base in cls.__mro__
        for name, slot in base.__dict__.items()
        if type(slot) is MemberDescriptorType and slot.__objclass__ is base
    ]


def make(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Any:
    """Make an instance as a call of its class would; None where that could run unknown code."""
    if is_named_tuple(cls):
        return cls(*args, **(kwargs or {}))
    if (
        len(args) == 1
        and not kwargs
        and (is_value_of(cls, args[0]) or (is_enumeration(cls) and is_plain(args[0])))
    ):
        return cls(args[0])  # one of its members
    if not is_simple(cls) or getattr(cls, "__abstractmethods__", None):
        return None
    if cls.__init__ is object.__init__:
        return None if args or kwargs else object.__new__(cls)
    if not is_generated(cls, cls.__init__):
        return None
    # imports `dataclasses` and more, which this program has done
    from cord.runtime.objects.made_dataclasses import make_record

    return make_record(cls, args, kwargs or {})


@remembered
def is_named_tuple(cls: Any) -> bool:
    """Whether a class was made by `namedtuple` or `NamedTuple`, with nothing that counts added."""
    if type(cls) is not type or cls.__mro__[-2:] != (tuple, object) or len(cls.__mro__) > 4:
        return False
    new = getattr(cls.__new__, "__globals__", {}).get("__name__", "")
    made = isinstance(new, str) and new.startswith("namedtuple_")
    kept = all(getattr(cls, name) is getattr(tuple, name) for name in _TUPLE_HOOKS)
    hooks = ("__del__", "__getattr__")
    return made and kept and not any(hasattr(cls, name) for name in hooks)


def is_generated(cls: type, method: Any) -> bool:
    """Whether `dataclass` has written this method."""
    if type(method) is not FunctionType or method.__code__.co_filename != "<string>":
        return False
    return any(
        "__dataclass_fields__" in base.__dict__ and base.__dict__.get(method.__name__) is method
        for base in cls.__mro__
    )


def behaves(cls: type) -> bool:
    """Whether a class has operators and the like of its own, not just what `dataclass` wrote."""
    return any(
        type(found) is FunctionType
        and name.startswith("__")
        and name.endswith("__")
        and name not in _WITHOUT_BEHAVIOUR
        and not _is_written(found)
        for name, found in cls.__dict__.items()
    )


def _is_written(function: FunctionType) -> bool:
    """Whether it says that `dataclass` has written it."""
    if _is_in(function, _GUARDING):  # around a `__repr__`, of whoever has written that
        function = getattr(function, "__wrapped__", function)
    return function.__code__.co_filename == "<string>" or _is_in(function, ("dataclasses",))


def _is_in(function: FunctionType, modules: tuple[str, ...]) -> bool:
    file = function.__code__.co_filename
    homes = (getattr(sys.modules.get(name), "__file__", None) for name in modules)
    return any(file == home for home in homes)
