"""What has travelled by value, made again: see `byvalue`.

All replicas import this at once, at their first such call. So it imports next to nothing;
cloudpickle is left to the side that takes objects apart, but for enumerations.
"""

from __future__ import annotations

import functools
import marshal
import os
import sys
import types
from _thread import allocate_lock
from _weakref import ref
from contextlib import suppress
from importlib import import_module

from cord._core import find_function

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CellType, FunctionType
    from typing import Any, Final

MAIN: Final = "__main__"
_Member: Final = types.MemberDescriptorType
_HOOK: Final = "__init_subclass__"
# Where the state of an enumeration has what its members hold.
MEMBERS: Final = "@members"


def own(name: str) -> Any:
    """What the main script has under a name."""
    return vars(sys.modules[MAIN])[name]


def own_function(module: str, name: str) -> Any:
    """The function that a module's own code knows under a name, or did before that was bound."""
    return find_function(import_module(module), name)


class Made:
    """Counts the objects that were made in place of a module's own.

    Attributes:
        strangers: How many.
        apart: The names in modules of which what is there is not what is meant now.
    """

    strangers = 0
    apart: frozenset[tuple[str, str]] = frozenset()


def named(module: str, name: str, cls: type, state: bytes) -> Any:
    """What a module has under a name, if it holds the same here; else one like what was sent.

    Args:
        module: The module.
        name: The name.
        cls: The class of what is there.
        state: What it holds, as `holders` pickles it; nothing for what has nothing in it.

    Raises:
        LookupError: There is nothing of the kind, and nothing can stand for it.
    """
    from cord.runtime.travel.holders import made_of, state_of

    if (module, name) in Made.apart:
        return object() if cls is object else made_of(cls, state)
    found = vars(import_module(module)).get(name)
    if type(found) is cls and state_of(found) == state:
        return found
    if cls is object:
        raise LookupError(f"{module}.{name} is another object here")
    Made.strangers += 1
    return made_of(cls, state)


# ---- instances -----------------------------------------------------------------------------------


def make_raw(cls: type, base: Any, contents: Any) -> Any:
    """An instance without attributes; no code of its class runs.

    Args:
        cls: The class.
        base: The class of Python's above it.
        contents: What it holds that cannot be filled in later.
    """
    return base.__new__(cls) if contents is None else base.__new__(cls, contents)


def make_exception(cls: type, base: Any, args: tuple[Any, ...]) -> Any:
    """An exception without attributes; no code of its class runs."""
    return base.__new__(cls, *args)


def fill_raw(obj: Any, state: tuple[Any, list[tuple[int, str, Any]], Any]) -> None:
    """Give an instance its attributes and, if it is a container, what it holds."""
    held, slots, items = state
    if held is not None:
        own = object.__getattribute__(obj, "__dict__")
        own.clear()
        own.update(held)
    line = type(obj).__mro__
    for place, name, value in slots:
        vars(line[place])[name].__set__(obj, value)
    if items is None:
        return
    if isinstance(obj, list):
        list.extend(obj, items)
    elif isinstance(obj, set):
        set.update(obj, items)
    else:
        for key, value in items:
            dict.__setitem__(obj, key, value)


def fill_above(obj: Any, state: tuple[Any, Any, Any, list[tuple[int, str, Any]]]) -> None:
    """Give an instance what a class in C above its own holds, and its attributes."""
    base, above, held, slots = state
    if above is not None:
        if hasattr(base, "__setstate__"):
            base.__setstate__(obj, above)
        elif isinstance(above, dict):
            vars(obj).update(above)
    fill_raw(obj, (held, slots, None))


def fill_read_only(array: Any, state: Any) -> None:
    """Give an array what it holds, for nobody to change."""
    array.__setstate__(state)
    array.flags.writeable = False


def array_with_steps(
    items: Any, shape: tuple[int, ...], strides: tuple[int, ...], writeable: bool
) -> Any:
    """An array whose items lie as far apart as where it comes from.

    Args:
        items: Its items, as `in_order_of_memory` has them.
        shape: Its lengths.
        strides: Its steps, in bytes.
        writeable: Whether it may be written to.
    """
    import numpy as np

    ways = [(length - 1) * step for length, step in zip(shape, strides, strict=True)]
    memory = np.zeros(sum(map(abs, ways)) + items.dtype.itemsize, np.uint8)
    start = -sum(way for way in ways if way < 0)
    array = np.ndarray(shape, items.dtype, memory, start, strides)
    in_order_of_memory(array)[...] = items
    array.flags.writeable = writeable
    return array


def in_order_of_memory(array: Any) -> Any:
    """A view of each item of an array once, with steps upwards, the longest first."""
    strides = array.strides
    if min(strides) > 0 and (array.ndim == 1 or list(strides) == sorted(strides, reverse=True)):
        return array
    where = tuple(slice(None, 1 if step == 0 else None, -1 if step < 0 else 1) for step in strides)
    return array[where].transpose(sorted(range(array.ndim), key=lambda axis: -abs(strides[axis])))


def bring(names: list[str]) -> None:
    """Import modules that calls will need; what cannot be imported they will miss by themselves."""
    for name in names:
        with suppress(Exception):
            import_module(name)


def itself(obj: Any) -> Any:
    """An object in whose place another one is taken apart."""
    return obj


# ---- functions -----------------------------------------------------------------------------------

# Functions that came here, by the numbers that they have where they are defined.
_came: dict[int, FunctionType] = {}


def make_cell() -> CellType:
    """An empty cell."""
    return types.CellType()


def fill_cell(cell: CellType, contents: tuple[object]) -> None:
    """Let a cell hold what its original holds."""
    (cell.cell_contents,) = contents


def make_function(
    code: bytes,
    home: str | None,
    name: str,
    closure: tuple[CellType, ...] | None,
    number: int,
) -> FunctionType:
    """A function; the one that came before under its number, if it has one.

    Args:
        code: Its code, marshalled.
        home: The module whose globals it has; None if it has its own.
        name: Its name.
        closure: Its cells.
        number: Its number, or 0.
    """
    if number in _came:
        _came[number].__code__ = marshal.loads(code)
        return _came[number]
    known: dict[str, Any] = {"__builtins__": __builtins__}
    if home is not None:
        known = vars(import_module(home))
    made = types.FunctionType(marshal.loads(code), known, name, None, closure)
    if number:
        _came[number] = made
    return made


def fill_function(function: FunctionType, state: dict[str, Any]) -> None:
    """Give a function its attributes, and the globals that came with it."""
    function.__globals__.update(state.pop("globals", ()))
    attributes = state.pop("__dict__")
    function.__module__ = attributes.pop("__module__")
    vars(function).update(attributes)
    for name, value in state.items():
        setattr(function, name, value)


# ---- classes -------------------------------------------------------------------------------------

# Classes that travelled, in either direction, and the numbers that they have everywhere.
# (`weakref` has dicts for this, but takes as long to import as all else here.)
_numbers: dict[ref[type], str] = {}
_classes: dict[str, ref[type]] = {}
_lock = allocate_lock()


def _forget(gone: ref[type]) -> None:
    number = _numbers.pop(gone, "")
    if number in _classes and _found(number) is None:
        del _classes[number]


def _tie(cls: type, number: str) -> str:
    _classes[number] = known = ref(cls, _forget)
    _numbers[known] = number
    return number


def _found(number: str) -> type | None:
    known = _classes.get(number)
    return None if known is None else known()


def number_of(cls: type) -> str:
    """The number of a class, which no other class has in any process."""
    with _lock:
        return _numbers.get(ref(cls)) or _tie(cls, os.urandom(16).hex())


def has_travelled(cls: type) -> bool:
    """Whether a class has a number."""
    return ref(cls) in _numbers


def class_of(number: str) -> type:
    """The class that has this number here."""
    found = _found(number)
    if found is None:
        raise KeyError(number)
    return found


def _numbered(number: str, made: type) -> type:
    """The class that has this number: the one that is there, or else this one."""
    with _lock:
        found = _found(number)
        if found is None:
            _tie(made, number)
    return made if found is None else found


def make_class(
    maker: type,
    metaclass: type,
    name: str,
    bases: tuple[type, ...],
    body: dict[str, Any],
    number: str,
) -> type:
    """A class as it is before its attributes are set; no code of the program's runs.

    What the program's metaclass and `__init_subclass__` did to it is among its attributes.

    Args:
        maker: The metaclass that makes it.
        metaclass: The metaclass that it has.
        name: Its name.
        bases: The classes above it.
        body: What must be there when it is made.
        number: Its number.
    """
    found = _found(number)
    if found is not None:
        return found
    above = {one for base in bases for one in base.__mro__ if one.__module__ == MAIN}
    hooks = [(one, vars(one)[_HOOK]) for one in above if _HOOK in vars(one)]
    for one, _ in hooks:
        delattr(one, _HOOK)
    try:
        made: Any = maker.__new__(metaclass, name, bases, body)
    finally:
        for one, hook in hooks:
            setattr(one, _HOOK, hook)
    return _numbered(number, made)


def make_enumeration(number: str, described: tuple[Any, ...]) -> type:
    """An enumeration with its members, as cloudpickle describes it.

    Args:
        number: Its number.
        described: The arguments of cloudpickle's own maker, without a number.
    """
    from cloudpickle.cloudpickle import _make_skeleton_enum

    return _numbered(number, _make_skeleton_enum(*described, None, None))


def fill_class(cls: type, state: tuple[dict[str, Any], object]) -> None:
    """Give a class its attributes.

    Args:
        cls: The class.
        state: Them first; `_abc_impl` is the list of classes that an abstract one has registered.
    """
    attributes, _ = state
    registered = attributes.pop("_abc_impl", ())
    give_members(cls, attributes.pop(MEMBERS, {}))
    drop_others(cls, attributes)
    for name, value in attributes.items():
        setattr(cls, name, value)
    if "__firstlineno__" in attributes:  # Python 3.13 drops it when `__module__` is set
        cls.__firstlineno__ = attributes["__firstlineno__"]  # type: ignore[attr-defined]
    for other in registered:
        cls.register(other)  # type: ignore[attr-defined]


def drop_others(cls: type, attributes: dict[str, Any]) -> None:
    """Delete what a class has besides these attributes: the program has deleted it."""
    if "_member_map_" in vars(cls):
        return  # an enumeration has more than it tells
    for name, held in list(vars(cls).items()):
        is_pythons = name[:2] == "__" or name == "_abc_impl" or type(held) is _Member
        if name not in attributes and not is_pythons:
            delattr(cls, name)


def give_members(cls: Any, held: dict[str, dict[str, Any]]) -> None:
    """Let an enumeration's members have these attributes, and no others."""
    for name, attributes in held.items():
        own = vars(cls._member_map_[name])
        for key in [key for key in own if key[0] != "_" and key not in attributes]:
            del own[key]
        own.update(attributes)


def type_of_python(name: str) -> type:
    """A type of the interpreter's that has no module of its own."""
    found: type = getattr(types, name)
    return found


def marker_of_dataclasses(name: str) -> Any:
    """What `dataclasses` tells a kind of field by."""
    import dataclasses

    return getattr(dataclasses, name)


# ---- objects of the library ----------------------------------------------------------------------


def make_cached(parameters: dict[str, Any], function: Callable[..., Any]) -> Any:
    """A function with a cache, which is empty."""
    return functools.lru_cache(**parameters)(function)


def make_cached_property(function: Callable[..., Any], name: str | None) -> Any:
    """A cached property of this name."""
    made = functools.cached_property(function)
    made.attrname = name
    return made
