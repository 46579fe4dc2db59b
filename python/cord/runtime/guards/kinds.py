"""What classes are to the native guards, which ask once for each version of a class.

What is said is plain data. It may depend on what is in the class and in those above it, for any
change of that makes another version; and on what the user declares, for then all is forgotten.
"""

from __future__ import annotations

import abc
import collections
import enum
from types import ClassMethodDescriptorType, FunctionType, SimpleNamespace

from cord._core import is_fixed
from cord.knowledge.classes import full_name, home_of
from cord.knowledge.methods import ahead_of, changers_of
from cord.runtime.guards.harmless import assumed_of
from cord.runtime.objects.classes import has_getattr, is_enumeration, is_slot, is_trusted_type
from cord.runtime.objects.instances import (
    behaves,
    is_named_tuple,
    is_simple,
    slots,
)
from cord.runtime.objects.iterators import VIEWS, is_library_dict
from cord.runtime.travel.encodable import is_taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# what stands for a method of a class, and not of its instances
_OF_CLASSES = (ClassMethodDescriptorType, classmethod, staticmethod)
# none of these runs code of the program's when a class of it is compared or asked for what it lacks
_METACLASSES = (type, abc.ABCMeta, enum.EnumMeta)
# what stands for a field of a named tuple
_FIELD = vars(collections)["_tuplegetter"]
_OF_MEMBERS = {name: vars(enum.Enum)[name] for name in ("name", "value")}


class _Opaque:
    """Stands for a class of which nothing is known."""

    __getattribute__ = None  # type: ignore[assignment, misc]


def kind_of(cls: Any) -> SimpleNamespace:
    """What guards are to know of a class and its instances: `Kind` of the native code says what."""
    meta = type(cls)
    if not is_slot(meta):
        cls = _Opaque  # to read anything of it would run code
    simple = is_simple(cls)
    apart = meta in _METACLASSES and is_taken_apart(cls)
    return SimpleNamespace(
        trusted=is_trusted_type(cls),
        named_tuple=is_named_tuple(cls),
        library_dict=is_library_dict(cls),
        view=any(cls is one for one in VIEWS),
        deque=cls is collections.deque,
        enumeration=is_enumeration(cls),
        enumerates=issubclass(cls, enum.EnumMeta) and cls.__iter__ is enum.EnumMeta.__iter__,
        simple=simple,
        record=simple and not any(map(behaves, cls.__mro__[:-1])),
        taken_apart=apart,
        looks_up=is_slot(cls),
        falls_back=has_getattr(cls),
        # a slot may have several names
        slots=tuple({slot for _, slot in slots(cls)}) if simple or apart else (),
        members=_members(cls),
        changers=changers_of(full_name(cls)),
        assumed=assumed_of(cls),
    )


def _members(cls: Any) -> dict[str, str]:
    """What members of a library's class do, by name."""
    full = full_name(cls)
    trusted, fixed = is_trusted_type(cls), is_fixed(cls)
    if full == "collections.Counter":
        return dict.fromkeys(ahead_of(full), "library")
    if not (trusted or fixed or type(cls) is enum.EnumMeta or issubclass(cls, tuple)):
        return {}
    found = {name: one for base in reversed(cls.__mro__) for name, one in base.__dict__.items()}
    members = {name: "computes" for name in found if _computes(cls, name, found[name], trusted)}
    if fixed:  # nobody can have changed it
        for name in ahead_of(full):
            members[name] = "makes" if type(found.get(name)) in _OF_CLASSES else "reads"
    elif trusted:
        own = [name for name in ahead_of(full) if _is_own(cls, getattr(cls, name, None))]
        members.update(dict.fromkeys(own, "reads"))
    elif is_named_tuple(cls):
        for name in ahead_of("collections.namedtuple"):
            if getattr(getattr(cls, name, None), "__module__", None) == "collections":
                members[name] = "library"
    return members


def _computes(cls: type, name: str, found: Any, trusted: bool) -> bool:
    """Whether what a class has under a name is an attribute that the library computes."""
    if type(cls) is enum.EnumMeta and _OF_MEMBERS.get(name, _Opaque) is found:
        return True
    is_own = trusted and issubclass(type(found), property) and _is_own(cls, found.fget)
    return is_own or type(found) is _FIELD


def _is_own(cls: type, found: Any) -> bool:
    """Whether the library has written this for its class."""
    return type(found) is not FunctionType or home_of(found.__module__) == home_of(cls.__module__)
