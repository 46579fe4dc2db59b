"""What travels plainly: encoding or decoding it runs no code of the program.

Answers depend on the values themselves, not on their names in the program; those on types are
remembered.
"""

from __future__ import annotations

import copyreg
import functools
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)

from cord._core import RemoteFunction
from cord.runtime.objects.classes import (
    HOOKS,
    has_getattr,
    is_made_of_python,
    is_native,
    is_slot,
    is_trusted_type,
    remembered,
)
from cord.runtime.objects.closures import Closure, as_function
from cord.runtime.objects.instances import is_generated, is_named_tuple, slots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CONTAINERS = (list, tuple, set, frozenset, dict)
_NUMBERS = (int, float, complex, bool)
# what travels as its name
_BY_REFERENCE = (
    BuiltinFunctionType,
    ModuleType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
    MappingProxyType,
)
# what travels as its name, or with all that it consists of
_DEFINITIONS = (type, FunctionType, RemoteFunction, property, classmethod, staticmethod)


def has_plain_encoding(value: object, defining: bool = False) -> bool:
    """Whether encoding `value` runs none of the program's code.

    Args:
        value: The value.
        defining: The definitions of the main script's that it mentions are encoded with it.
    """
    seen: set[int] = set()
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        cls = type(item)
        if cls in _NUMBERS or cls in (str, bytes, bytearray, type(None), range):
            continue
        if id(item) in seen:
            continue
        seen.add(id(item))
        if cls in (list, tuple, set, frozenset):
            stack.extend(item)
        elif cls is dict:
            stack.extend(item)
            stack.extend(item.values())
        elif cls is Closure:
            try:
                stack.append(as_function(item))
            except LookupError:
                return False
        elif issubclass(cls, _DEFINITIONS):
            if travels_by_value(item, defining):
                from cord.runtime.travel.byvalue import parts_of  # only for who passes such things

                stack.extend(parts_of(item, defining))
        elif cls is functools.partial:
            # to ask for its attributes would give it a dict, which shows when it is pickled
            stack.append(item.__reduce__()[2])
        elif is_trusted_type(cls) or issubclass(cls, _BY_REFERENCE):
            continue
        elif _reduces_plainly(cls):
            if defining:
                stack.append(cls)
            state = getattr(item, "__dict__", None)
            if state:
                stack.extend(state.values())
            for base in cls.__mro__:
                for slot in base.__dict__.get("__slots__", ()):
                    if hasattr(item, slot):
                        stack.append(getattr(item, slot))
            native = next((base for base in _CONTAINERS if issubclass(cls, base)), None)
            if native is not None:
                if cls.__iter__ is not native.__iter__ or (
                    native is dict and cls.items is not dict.items
                ):
                    return False
                stack.extend(native.__iter__(item))
                if native is dict:
                    stack.extend(dict.values(item))
        else:
            return False
    return True


def travels_by_value(definition: Any, defining: bool) -> bool:
    """Whether a function or class has no name that it can be found by where it is decoded."""
    if isinstance(definition, (property, classmethod, staticmethod)):
        return True
    if defining and getattr(definition, "__module__", None) == "__main__":
        return True
    return "<" in getattr(definition, "__qualname__", "<locals>")


def reduces_plainly(cls: Any) -> bool:
    """Whether the default, or the library, takes instances of a class apart."""
    own = is_slot(cls) and not has_getattr(cls)
    return (
        own
        and cls not in copyreg.dispatch_table
        and all(is_native(getattr(cls, hook, None)) for hook in HOOKS)
    )


_reduces_plainly = remembered(reduces_plainly)


def is_taken_apart(cls: Any) -> bool:
    """Whether the default takes instances apart, and there is nothing in them but attributes."""
    made = not issubclass(cls, _CONTAINERS) and is_made_of_python(cls)
    return made and _reduces_plainly(cls)


def rebuilds_plainly(cls: type) -> bool:
    """Whether decoding an instance, as the default encodes it, runs none of the program's code."""
    if not _reduces_plainly(cls) or hasattr(cls, "__setstate__"):
        return False
    hooks = ["__new__", "__setattr__"]
    for base in _CONTAINERS:
        if issubclass(cls, base):
            hooks += ["append", "extend", "__setitem__"]
    if issubclass(cls, BaseException):
        hooks.append("__init__")
    made = getattr(getattr(cls, "__hash__", None), "__code__", None)
    hashes = is_native(cls.__hash__) or getattr(made, "co_filename", "") == "<string>"
    return hashes and all(_is_kept(cls, hook) for hook in hooks)


def _is_kept(cls: type, hook: str) -> bool:
    """Whether a method that decoding might call is the library's."""
    method = getattr(cls, hook, None)
    if is_native(method):
        return True
    if hook == "__new__":
        return is_named_tuple(cls)
    # of a frozen dataclass: called only for slots
    return hook == "__setattr__" and is_generated(cls, method) and not slots(cls)
