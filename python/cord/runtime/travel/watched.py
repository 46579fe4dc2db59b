"""How objects are looked into to tell whether they are still what they were.

Native code does it (`Watch`); what it must know of classes it asks here, once in a walk.
"""

from __future__ import annotations

import functools
import sys
import types
from _pickle import dumps
from collections import Counter, OrderedDict, defaultdict, deque
from io import BytesIO

from cord._core import RemoteFunction
from cord.runtime.objects.classes import is_enumeration, is_made_of_python, is_row, is_trusted_type
from cord.runtime.objects.instances import slots
from cord.runtime.objects.loggers import is_logger_class
from cord.runtime.objects.reach import is_of_project
from cord.runtime.travel.encodable import reduces_plainly

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    Looks = tuple[list[str], tuple[Any, ...]]

_PROTOCOL = 5
# What does not change, or is watched by those who define it.
_FIXED = (
    type,
    types.FunctionType,
    types.CodeType,
    types.BuiltinFunctionType,
    types.ModuleType,
    property,
    classmethod,
    staticmethod,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GenericAlias,
    types.UnionType,
    types.EllipsisType,
    types.NotImplementedType,
    range,
    functools._lru_cache_wrapper,
    RemoteFunction,
)
_CONTAINERS = (list, tuple, dict, set, frozenset)
_OF_VALUES = ("datetime", "decimal")
_BY_ENCODING: Looks = [], ()
_LIBRARY: dict[type, Looks] = {
    deque: (["order"], ()),
    OrderedDict: (["order", "dict"], ()),
    Counter: (["dict"], ()),
    defaultdict: (["attributes", "dict"], (vars(defaultdict)["default_factory"],)),
    bytearray: (["memory"], ()),
    types.SimpleNamespace: (["attributes"], ()),
}
_DATED: Looks = ["dated"], ()


def looks_of(cls: Any) -> Looks:
    """What of the objects of a class is to be compared, and the slots that they have.

    Args:
        cls: Their class.

    Returns:
        The names of kinds that `Looks` of native code has. If there is none, only their encoding
        tells whether they have changed.
    """
    known = _LIBRARY.get(cls)
    if known is not None:
        return known
    dates = sys.modules.get("_datetime")  # nobody imports it for this: that takes milliseconds
    if dates is not None and (cls is dates.datetime or cls is dates.time):
        return _DATED
    if issubclass(cls, _FIXED) or is_logger_class(cls):
        return ["held"], ()
    if is_trusted_type(cls):
        return _looks_of_trusted(cls)
    if _is_of_python(cls) or is_enumeration(cls):
        return ["held"], ()
    if not (is_made_of_python(cls) and reduces_plainly(cls)):
        return _BY_ENCODING
    base = next((base for base in _CONTAINERS if issubclass(cls, base)), None)
    places = tuple(slot for _, slot in slots(cls))
    if base is None:
        return ["attributes"], places
    if cls.__iter__ is not base.__iter__ or (base is dict and cls.items is not dict.items):
        return _BY_ENCODING
    if base is tuple and not (
        cls.__dictoffset__ or cls.__weakrefoffset__ or hasattr(cls, "__del__")
    ):
        return ["tuple", "value"], ()
    return ["attributes", "set" if base is frozenset else base.__name__], places


# What lets only some calls go on at one time: where several run, others may hold it.
_GATES = {
    *(("threading", name) for name in ("Semaphore", "BoundedSemaphore", "Condition")),
    *(("asyncio.locks", name) for name in ("Lock", "Semaphore", "BoundedSemaphore", "Condition")),
}
_passed_by: set[tuple[str, str]] = set()


def pass_gates_by() -> None:
    """Calls run at once in this process: who holds what lets them go on tells of none of them."""
    _passed_by.update(_GATES)


def traces_of(cls: Any) -> Looks:
    """The same for what a call may have changed, in whatever way its objects are pickled.

    Args:
        cls: Their class.
    """
    if cls is types.MappingProxyType or is_logger_class(cls):
        return ["held"], ()  # what is in a class is looked into with that
    if is_row(cls):
        return ["memory"], ()
    if _passed_by and (cls.__module__, cls.__qualname__) in _passed_by:
        return ["held"], ()
    if not is_of_project(sys.modules.get(cls.__module__)):
        return looks_of(cls)
    if not is_made_of_python(cls):
        # of a date or number of the project's own class, only what it has besides can change
        is_value = any(base.__module__ in _OF_VALUES for base in cls.__mro__)
        return (["attributes"], ()) if is_value and cls.__dictoffset__ else looks_of(cls)
    base = next((base for base in _CONTAINERS if issubclass(cls, base)), None)
    places = tuple(slot for _, slot in slots(cls))
    if base is None or is_enumeration(cls):
        return ["attributes"], places
    return ["attributes", "set" if base is frozenset else base.__name__], places


def _is_of_python(cls: type) -> bool:
    name = cls.__name__
    is_hidden = name.startswith("_") or name in ("TypeVar", "NewType")
    return is_hidden and cls.__module__ in ("typing", "_abc", "collections")


def _looks_of_trusted(cls: type) -> Looks:
    if cls.__name__ == "array":
        return ["memory"], ()
    return _BY_ENCODING if cls.__name__ in ("ndarray", "Match") else (["held"], ())


def plain_print_of(values: list[object]) -> bytes | None:
    """The same of what Python's own pickler takes."""
    try:
        return dumps(values, _PROTOCOL)
    except Exception:
        return None


def print_of(values: list[object]) -> bytes | None:
    """What can be compared later with the same objects; None of what cannot travel."""
    try:
        return dumps(values, _PROTOCOL)
    except Exception:
        from cord.runtime.travel.byvalue import ByValue  # replicas need not have that

        stream = BytesIO()
        try:
            ByValue(stream).dump(values)
        except Exception:
            return None
        return stream.getvalue()
