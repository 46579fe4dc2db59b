"""What is asked of classes: whose the methods are that Python calls, and what was found before."""

from __future__ import annotations

import abc
import sys
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    WrapperDescriptorType,
)

from cord import stdlib
from cord._core import is_made_by_statement, version_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Answer = TypeVar("_Answer")

# Where the class of a remote module that has a facade keeps the class that the module had before.
BEHIND_FACADE = "__cord_base__"
# The methods by which a class takes its instances apart.
HOOKS = ("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__", "__getstate__")
_MOST = 4096  # classes that are remembered
# From Python 3.14 on a class has this beside its methods: it says what the annotations are.
ANNOTATES = ("__annotate__", "__annotate_func__")
# Methods that an enumeration calls only while it is being made.
_MAKING = ("__init__", "__new__", "__new_member__", "__init_subclass__", *ANNOTATES)


def remembered(ask: Callable[[Any], _Answer]) -> Callable[[Any], _Answer]:
    """Ask a question on a type once, until the type or one above it is changed.

    What is remembered keeps no type alive, and runs no `__hash__` of a metaclass.
    """
    known: dict[int, tuple[int, _Answer]] = {}

    def answer(cls: Any) -> _Answer:
        version = version_of(cls)
        found = known.get(id(cls))
        if found is None or found[0] != version or version == 0:
            if len(known) >= _MOST:
                known.clear()
            known[id(cls)] = found = version, ask(cls)
        return found[1]

    answer.__doc__ = ask.__doc__
    return answer


_BUILTIN = (object, list, tuple, dict, set, frozenset)
# Types of the values of most enumerations.
_SIMPLE = frozenset({int, float, str, bytes})


def is_native(method: object) -> bool:
    """Whether a method, if there is one, is built in or of the library."""
    if method is None or isinstance(method, (MethodDescriptorType, WrapperDescriptorType)):
        return True
    if isinstance(method, BuiltinFunctionType):
        return True
    module = getattr(method, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in sys.stdlib_module_names


def bases_of_enums() -> tuple[type, ...]:
    """`Enum` and `Flag`; nothing before anybody has imported them, for it takes long."""
    if "enum" not in sys.modules and "enum" not in vars(stdlib):
        return ()
    return stdlib.enum.Enum, stdlib.enum.Flag


def _is_made_by_enum(cls: type) -> bool:
    return type(cls) in map(type, bases_of_enums())


def checks_plainly(cls: Any) -> bool:
    """Whether `isinstance(x, cls)` runs none of the program's code."""
    if type(cls) is type or _is_made_by_enum(cls):
        return True
    asks: object = type(cls).__instancecheck__
    return asks is abc.ABCMeta.__instancecheck__ and _is_asked_plainly(cls)


def _is_asked_plainly(cls: Any) -> bool:
    """Whether asking for subclasses of an abstract class runs none of the program's code.

    Those below it are asked in turn, `ByteString` among them, which has a metaclass of its own from
    Python 3.12 on.
    """
    kind = type(cls)
    if kind is type or _is_made_by_enum(cls):
        return True
    is_known = kind is abc.ABCMeta or kind.__module__ == "collections.abc"
    asks: object = kind.__subclasscheck__
    if not is_known or asks is not abc.ABCMeta.__subclasscheck__:
        return False
    below: list[type] = cls.__subclasses__()
    return is_native(cls.__subclasshook__) and all(map(_is_asked_plainly, below))


def is_trusted_type(cls: type) -> bool:
    """Whether values of a type of the library behave as plain data."""
    from cord.knowledge.classes import PLAIN, full_name  # a run without guards needs neither

    return full_name(cls) in PLAIN


def is_row(cls: type) -> bool:
    """Whether objects of a class are rows of NumPy's arrays of records."""
    return any(base.__name__ == "void" and base.__module__ == "numpy" for base in cls.__mro__)


def is_made_of_python(cls: type) -> bool:
    """Whether an object has nothing in it but attributes, and what a builtin container has."""
    return all(base in _BUILTIN or is_made_of_attributes(base) for base in cls.__mro__)


def is_made_of_attributes(cls: type) -> bool:
    """Whether a class adds attributes only to instances: it was made by a class statement."""
    return is_made_by_statement(cls) and not isinstance(
        cls.__dict__.get("__new__"), BuiltinFunctionType
    )


def is_value_of(cls: Any, value: object) -> bool:
    """Whether a call of an enumeration with this value only looks a member up."""
    if not _is_made_by_enum(cls) or cls.__new__ is not bases_of_enums()[0].__new__:
        return False
    values = cls._value2member_map_
    return all(type(one) in _SIMPLE for one in [value, *values]) and value in values


@remembered
def is_enumeration(cls: Any) -> bool:
    """Whether members compare, hash, print, travel and are looked up as those of an `Enum` are."""
    if not _is_made_by_enum(cls):
        return False
    own = [found for base in cls.__mro__ for found in base.__dict__.items()]
    missing = getattr(cls, "_missing_", None)  # looks up what is no value of a member
    return is_native(missing) and all(
        is_native(found)
        for name, found in own
        if type(found) is FunctionType and name.startswith("__") and name not in _MAKING
    )


def attributes_of_members(cls: type) -> dict[str, dict[str, Any]]:
    """What the members of an enumeration hold, by their names; nothing for other classes."""
    members = type.__dict__["__dict__"].__get__(cls).get("_member_map_")
    if type(members) is not dict:
        return {}
    found = {name: getattr(member, "__dict__", None) for name, member in members.items()}
    return {name: held for name, held in found.items() if type(held) is dict}


def held_by_members(cls: type) -> dict[str, dict[str, Any]]:
    """A copy of these attributes, but for those that the enumeration itself has given them."""
    return {
        name: {key: one for key, one in held.items() if key[0] != "_"}
        for name, held in attributes_of_members(cls).items()
    }


def is_slot(cls: type) -> bool:
    """Whether reading an attribute of an instance is the interpreter's own affair."""
    return isinstance(cls.__getattribute__, WrapperDescriptorType)


def has_getattr(cls: type) -> bool:
    """Whether a class has code for attributes that are not there."""
    return any("__getattr__" in base.__dict__ for base in cls.__mro__)
