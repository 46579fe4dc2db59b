"""What the native guards ask: does this callable, method or attribute run no code of the program?

Answers depend on the objects themselves, not on their names in the program, and are remembered.
"""

from __future__ import annotations

import abc
import enum
import functools
import sys
from collections.abc import Callable
from io import IOBase
from itertools import islice
from types import (
    ClassMethodDescriptorType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    UnionType,
    WrapperDescriptorType,
)

from cord._core import Cursor, Fresh, RemoteName, Replay, Together, doubt, is_plain, reads_on
from cord.runtime.objects.classes import (
    checks_plainly,
    has_getattr,
    is_slot,
    is_trusted_type,
    remembered,
)
from cord.runtime.objects.closures import Maker
from cord.runtime.objects.instances import is_named_tuple, iterator_of, parts
from cord.runtime.objects.iterators import (
    BUILTIN_TYPES,
    ITERATORS,
    LAZY,
    STREAMED,
    VIEWS,
    copy_iterator,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cord.knowledge.rows import Row

_objects: dict[int, tuple[object, str, Row | None]] = {}
_looked_at: set[str] = set()  # modules of which all is known

# a class made by a `class` statement, not built in
_HEAP_TYPE = 1 << 9
# What `type` itself tells of every class.
_OF_CLASSES = ("__name__", "__qualname__", "__module__", "__mro__", "__bases__")
_NUMBERS = (int, float, complex, bool)


class _Known:
    """What the user declares, and how many modules there were at the last look."""

    assumed: frozenset[str] = frozenset()
    modules = 0


_known = _Known()


def assume(names: frozenset[str]) -> None:
    """Take the dotted names that the user declares free of effects."""
    _known.assumed = names
    _known.modules = 0


def forget() -> None:
    """The program has ended: let go of its functions."""
    _objects.clear()
    _looked_at.clear()


def assumed() -> frozenset[str]:
    """The dotted names that the user declares free of effects."""
    return _known.assumed


def assumed_name(value: object) -> str | None:
    """The name by which the user declares this very object free of effects."""
    name = _named(value)[0] if _known.assumed else None
    return name if name in _known.assumed else None


def is_pure_callable(
    callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
    """What a scout may call for `callee`, and with which arguments; None if it may not.

    An iterator among the arguments is replaced by a copy, for reading it would be an effect.
    """
    name, row = (None, None) if type(callee) is Maker else _named(callee)
    if name in _known.assumed:
        doubt()  # it may depend on what the program does meanwhile
        unread = _unread(args)
        if unread is None or _unread(tuple((kwargs or {}).values())) is None:
            return None
        if name == "builtins.open":
            from cord.runtime.io.files import open_for_scout  # only for who assumes it

            return open_for_scout, unread
        return callee, unread
    checked = _pure_arguments(callee, name, row, args, kwargs)
    if checked is None:
        return None
    if name in _TOGETHER and not kwargs and any(type(value) in STREAMED for value in checked):
        counted = name == "builtins.enumerate"
        return Together, ((checked[:1], *(checked[1:] or (0,))) if counted else (checked,))
    return callee, checked


def walked_arguments(callee: object, index: int, count: int) -> bool:
    """Whether a function takes items from its argument number `index` of `count`."""
    name, row = _named(callee)
    if name is None or row is None or row.walks is None or name == "builtins.bytes":
        return False
    if row.gives == "item" and count > 1:  # `max(a, b)`
        return False
    return name.startswith("builtins.") and index in range(count)[row.walks]


def special_of(callee: object) -> str | None:
    """The method of its argument that a builtin calls and leaves the rest to; None for others."""
    name, row = _named(callee)
    if name is None or row is None or row.special is None:
        return None
    return f"__{name.removeprefix('builtins.')}__"


def _unread(values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """These values, where none of them is something that the program reads from."""
    checked = []
    for value in values:
        iterates = hasattr(type(value), "__next__") and type(value) is not Fresh
        unread = copy_iterator(value) if iterates else value
        if isinstance(value, IOBase) or (iterates and unread is None):
            return None
        checked.append(unread)
    return tuple(checked)


def _pure_arguments(
    callee: Any,
    name: str | None,
    row: Row | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
) -> tuple[Any, ...] | None:
    if type(callee) is Maker:
        return args
    if name is None or row is None:
        return None
    if name == "builtins.super":
        plain = len(args) == 2 and type(args[0]) in (type, abc.ABCMeta)
        return args if plain and args[0] in type(args[1]).__mro__ else None
    if name == "functools.partial":
        return args
    if name in ("dataclasses.asdict", "dataclasses.astuple") and not kwargs:
        return args if len(args) == 1 and is_plain(parts(args[0])) else None
    if name.startswith("numpy."):
        return _numpy_arguments(callee, row, args, kwargs or {})
    if kwargs and not all(is_plain(value) for value in kwargs.values()):
        return None
    if row.reads is not None and len(args) > row.reads:
        return None
    if name in ("builtins.isinstance", "builtins.issubclass"):
        return args if all(checks_plainly(item) for item in _flat(args[1:])) else None
    if name == "builtins.len" and not is_assumed_method(type(args[0]), "__len__"):
        return args if type(args[0]) in (*BUILTIN_TYPES, *VIEWS) or is_plain(args[0]) else None
    if name == "builtins.type":
        return args if len(args) == 1 else None
    special = special_of(callee)
    if special is not None and len(args) == 1 and is_assumed_method(type(args[0]), special):
        return args
    checked = []
    for value in args:
        if row.shallow and type(value) in (*BUILTIN_TYPES, *STREAMED, Fresh):
            checked.append(value)
        elif row.shallow and type(value) in (Replay, Cursor):
            doubt()
            checked.append(value.cursor())
        elif type(value) in (*STREAMED, Fresh):
            items = list(islice(value, _MOST_LOOKED_AT + 1))
            if len(items) > _MOST_LOOKED_AT or not is_plain(items):
                return None
            checked.append(items)
        elif row.shallow and isinstance(value, type) and iterator_of(value) is not None:
            checked.append(iterator_of(value))  # the members of an enumeration
        elif type(value) in (*ITERATORS, *LAZY, *VIEWS):
            doubt()  # others may read from it
            copied = copy_iterator(value)
            if copied is None or not (row.shallow or is_plain(list(copy_iterator(value)))):
                return None
            checked.append(reads_on(value, copied) if hasattr(value, "__next__") else copied)
        elif is_plain(value):
            checked.append(value)
        else:
            return None
    return tuple(checked)


def _numpy_arguments(
    callee: Any, row: Row, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...] | None:
    """The arguments of a function of NumPy, where all of them are plain and none is changed."""
    read = getattr(callee, "nin", row.reads or 2)
    if any(hasattr(value, "dtype") for value in args[read:]) or not _CHANGING.isdisjoint(kwargs):
        return None  # the result may be put into one of them
    given = [*args, *kwargs.values()]
    if any(getattr(getattr(value, "dtype", None), "hasobject", False) for value in given):
        return None  # what is in it can be of any class
    known = (is_plain(value) or _is_of_numbers(value) for value in given)
    return args if all(known) else None


# Keywords by which a function of NumPy changes what it is given.
_CHANGING = frozenset({"out", "overwrite_input"})


def _is_of_numbers(value: object) -> bool:
    """Whether this is a class of numbers, as `dtype` takes it."""
    return isinstance(value, type) and (value in _NUMBERS or value.__module__ == "numpy")


# What stands for a method in a class that is built in.
_DESCRIPTORS = (ClassMethodDescriptorType, MethodDescriptorType, WrapperDescriptorType)

# What is walked together.
_TOGETHER = frozenset({"builtins.zip", "builtins.enumerate"})

# A function that looks at all items of an iterator is called only if they are no more than these.
_MOST_LOOKED_AT = 10_000


def _named(callee: object) -> tuple[str | None, Row | None]:
    """The dotted name of what a scout may run, and what is known of it."""
    if len(sys.modules) != _known.modules:
        _find_objects()
        _known.modules = len(sys.modules)
    found = _objects.get(id(callee))
    return (None, None) if found is None else found[1:]


def _find_objects() -> None:
    """Look the known names up in the modules that are there by now."""
    from cord.knowledge.functions import find, known_ahead  # not before a scout asks

    for name, target in _of_whole_modules():
        _objects[id(target)] = (target, name, find(name))
    for name in (*known_ahead(), *_known.assumed):
        module_name, _, rest = name.rpartition(".")
        module = sys.modules.get(module_name)
        target = getattr(module, rest, None) if module is not None else _inside(name)
        if target is not None:
            _objects[id(target)] = (target, name, find(name))


def _of_whole_modules() -> Iterator[tuple[str, object]]:
    """The functions of modules for which a rule stands; what others have put there is left out."""
    from cord.knowledge.functions import runs_ahead
    from cord.knowledge.library import AHEAD

    for owner in AHEAD.keys() & sys.modules.keys() - _looked_at:
        _looked_at.add(owner)
        for name, target in vars(sys.modules[owner]).items():
            home = getattr(target, "__module__", None)
            if home in (owner, f"_{owner}") and runs_ahead(f"{owner}.{name}"):
                yield f"{owner}.{name}", target


def _inside(name: str) -> object:
    """`module.Class.method`, if the module has been imported."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        module = sys.modules.get(".".join(parts[:end]))
        if module is not None:
            target: object = module
            for part in parts[end:]:
                target = getattr(target, "__dict__", {}).get(part) if target is not None else None
            if isinstance(target, (staticmethod, classmethod)):
                target = target.__func__
            return target
    return None


def is_pure_method(cls: type, name: str) -> bool:
    """Whether `name` is a method of the library's type `cls` that only reads."""
    return name in _pure_methods(cls)


@remembered
def _pure_methods(cls: Any) -> frozenset[str]:
    names = _ahead_of(_full_name(cls))
    if cls.__flags__ & _HEAP_TYPE == 0:  # a static type: nobody can have changed it
        return names
    if not is_trusted_type(cls):
        return frozenset()
    return frozenset(name for name in names if _is_own(cls, getattr(cls, name, None)))


def is_pure_class_method(cls: type, name: str) -> bool:
    """Whether `cls.name` only makes something of its arguments."""
    found = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
    of_class = type(found) in (ClassMethodDescriptorType, classmethod, staticmethod)
    static = cls.__flags__ & _HEAP_TYPE == 0
    return static and of_class and name in _pure_methods(cls)


def _full_name(cls: type) -> str:
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


def _is_own(cls: type, found: Any) -> bool:
    """Whether the library has written this for its class."""
    return type(found) is not FunctionType or found.__module__ == cls.__module__


def is_library_method(value: object, name: str) -> bool:
    """Whether `name` of an instance, or of a class, is the library's own and only reads."""
    cls = value if isinstance(value, type) else type(value)
    if is_named_tuple(cls):
        found = getattr(cls, name, None)
        named = name in _ahead_of("collections.namedtuple")
        return named and getattr(found, "__module__", None) == "collections"
    if f"{cls.__module__}.{cls.__qualname__}" != "collections.Counter" or cls is value:
        return False
    return name in _ahead_of("collections.Counter") and is_plain(dict(value))  # type: ignore[call-overload]


def _ahead_of(type_name: str) -> frozenset[str]:
    from cord.knowledge.methods import ahead_of

    return ahead_of(type_name)


def looked_at(cls: type, name: str) -> str | None:
    """What a method looks at that changes only its object, of the builtin type `cls`."""
    return _mutators(cls).get(name)


@remembered
def _mutators(cls: Any) -> dict[str, str]:
    from cord.knowledge.methods import changers_of

    return changers_of(_full_name(cls))


def is_plain_attribute(value: object, name: str) -> bool:
    """Whether reading `value.name` only looks something up."""
    cls = type(value)
    if cls is super:
        return _is_inherited_method(value, name)
    if issubclass(cls, ModuleType):
        return name in vars(value) and _is_module_attribute(cls, name)
    if not is_slot(cls):
        return False
    if issubclass(cls, type):
        return _is_class_constant(value, name)
    for base in cls.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            break
    else:
        return name in getattr(value, "__dict__", ())
    if has_getattr(cls):
        return False  # a slot without a value, a property that fails would call it
    if isinstance(found, (MemberDescriptorType, GetSetDescriptorType)):
        return True
    if type(found) is MethodDescriptorType and not cls.__flags__ & _HEAP_TYPE:
        return True
    if type(cls) is enum.EnumMeta and isinstance(found, enum.property):
        return name in ("name", "value") and found in vars(enum.Enum).values()
    if type(found).__name__ == "_tuplegetter":  # a field of a named tuple
        return True
    if isinstance(found, property):
        if is_trusted_type(cls) and _is_own(cls, found.fget):
            return True
        doubt()
        return f"{cls.__module__}.{cls.__qualname__}.{name}" in _known.assumed
    if type(found) is functools.cached_property and found.attrname == name:
        return name in getattr(value, "__dict__", ())
    return _is_plain_entry(found)


def _is_inherited_method(value: Any, name: str) -> bool:
    """Whether `name` of a `super()` is a plain method."""
    line = value.__self_class__.__mro__
    for base in line[line.index(value.__thisclass__) + 1 :]:
        if name in base.__dict__:
            return _is_plain_entry(base.__dict__[name])
    return False


def _is_plain_entry(found: object) -> bool:
    """Whether what stands in a class is a value or a method: reading it runs no code."""
    if type(found) in (staticmethod, classmethod):
        found = found.__func__  # type: ignore[attr-defined]
    return type(found) is FunctionType or not hasattr(type(found), "__get__")


def _is_class_constant(value: Any, name: str) -> bool:
    """Whether `name` of a class is a plain value or method in it or in a class above it."""
    if type(value) is not type and type(value).__module__ not in ("abc", "enum"):
        return False
    if name in _OF_CLASSES:
        return True
    for base in value.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            built_in = type(found) in _DESCRIPTORS and not base.__flags__ & _HEAP_TYPE
            return built_in or _is_plain_entry(found)
    return False


def _is_module_attribute(cls: type, name: str) -> bool:
    """Whether a module's class leaves the look-up to the module's dict, or is a remote module's."""
    if not is_slot(cls):
        return False
    inherited = cls.__mro__[: cls.__mro__.index(ModuleType)]
    return all(
        name not in base.__dict__ or isinstance(base.__dict__[name], RemoteName)
        for base in inherited
    )


def is_assumed_method(cls: type, name: str) -> bool:
    """Whether the user declares the method `name` of `cls` free of effects."""
    if not _known.assumed:
        return False
    assumed = any(
        f"{base.__module__}.{base.__qualname__}.{name}" in _known.assumed for base in cls.__mro__
    )
    if assumed:
        doubt()
    return assumed


def _flat(values: tuple[Any, ...]) -> list[Any]:
    """These values, what is in tuples and in unions of classes in their place."""
    flat: list[Any] = []
    for value in values:
        inside = value.__args__ if type(value) is UnionType else value
        flat.extend(_flat(inside) if type(inside) is tuple else [inside])
    return flat
