"""What the native guards ask of callables: do they run no code of the program?

Answers depend on the objects themselves, not on their names in the program, and are remembered.
"""

from __future__ import annotations

import abc
import sys
from collections.abc import Callable
from io import IOBase
from itertools import islice
from types import MethodType, UnionType

from cord._core import (
    Fresh,
    doubt,
    forget_kinds,
    is_plain,
    iterator_of,
    reads_on,
)
from cord.runtime.objects.classes import checks_plainly
from cord.runtime.objects.closures import Maker
from cord.runtime.objects.instances import parts
from cord.runtime.objects.iterators import (
    BUILTIN_TYPES,
    ITERATORS,
    LAZY,
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
    forget_kinds()


def forget() -> None:
    """The program has ended: let go of its functions."""
    _objects.clear()
    _looked_at.clear()


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
        return callee, unread
    checked = _pure_arguments(callee, name, row, args, kwargs)
    return None if checked is None else (callee, checked)


def is_assumed(callee: object) -> bool:
    """Whether the user declares a callee free of effects."""
    if not _known.assumed:
        return False
    return _named(callee.__func__ if type(callee) is MethodType else callee)[0] in _known.assumed


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
        if row.shallow and type(value) in (*BUILTIN_TYPES, Fresh):
            checked.append(value)
        elif type(value) is Fresh:
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


def is_assumed_method(cls: type, name: str) -> bool:
    """Whether the user declares the method `name` of `cls` free of effects."""
    is_assumed = bool(_known.assumed) and name in assumed_of(cls)
    if is_assumed:
        doubt()
    return is_assumed


def assumed_of(cls: type) -> dict[str, bool]:
    """What of a class the user declares free of effects; whether under this class's own name."""
    found: dict[str, bool] = {}
    if not _known.assumed:
        return found
    from cord.knowledge.classes import home_of  # not before the plan assumes anything

    for base in reversed(cls.__mro__):
        prefix = f"{home_of(base.__module__)}.{base.__qualname__}."
        for name in _known.assumed:
            if name.startswith(prefix):
                found[name.removeprefix(prefix)] = base is cls
    return found


def _flat(values: tuple[Any, ...]) -> list[Any]:
    """These values, what is in tuples and in unions of classes in their place."""
    flat: list[Any] = []
    for value in values:
        inside = value.__args__ if type(value) is UnionType else value
        flat.extend(_flat(inside) if type(inside) is tuple else [inside])
    return flat
