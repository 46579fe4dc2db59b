"""Functions and classes that travel by value: those that the other side cannot import.

These are the main script's own, and lambdas, closures and local classes of any module. A function
of the main script finds its globals in `__main__` of the process that it runs in, which for a
replica is a mirror of the program's (see `mirror`); any other one in the module it comes from.

Classes are left to cloudpickle. It gives each class a number of its own and rebuilds it once in a
process, so another version of a class changes the one that is there.
"""

from __future__ import annotations

import functools
import itertools
import marshal
import sys
import types
import typing
import weakref
from _pickle import PicklingError
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from cloudpickle import Pickler as _ClassPickler
from cloudpickle import cloudpickle as _classes

from cord._core import RemoteFunction, original_of
from cord.runtime.sources import plain_code

MAIN = "__main__"
_Cell = types.CellType
_Cached = type(functools.lru_cache(lambda: None))
# Classes that were taken apart here; the late ones are kept, to be there when they return.
_born: weakref.WeakSet[type] = weakref.WeakSet()
_kept: deque[type] = deque(maxlen=256)
_HOOK = "__init_subclass__"
_ATTRIBUTES = ("__defaults__", "__kwdefaults__", "__annotations__", "__doc__", "__qualname__")


class ByValue(_ClassPickler):  # type: ignore[misc]
    """Pickles what a plain pickler refuses.

    What the main script defines under a name travels as that name, and the name is noted. The
    definitions behind the names travel apart, by a pickler that is `defining`. On the way home, a
    class that came from the client travels as the number it has there.

    Attributes:
        names: The names of the main script's that the other side must know, in order.
        functions: The functions that were taken apart.
        classes: The classes that were taken apart.
        binds: Whether there were methods that the names of their functions do not lead to.
    """

    def __init__(
        self,
        file: Any,
        buffers: Callable[[Any], object] | None = None,
        *,
        defining: bool = False,
        homeward: bool = False,
    ) -> None:
        super().__init__(file, 5, buffer_callback=buffers)
        self._defining = defining
        self._homeward = homeward
        self._main = vars(sys.modules[MAIN])
        self.names: dict[str, None] = {}
        self.functions: list[types.FunctionType] = []
        self.classes: list[type] = []
        self.binds = False

    def reducer_override(self, obj: Any) -> Any:
        """How an object is taken apart; NotImplemented leaves it to pickle."""
        kind = type(obj)
        if kind is types.FunctionType:
            return self._function(obj)
        if issubclass(kind, type):
            return self._class(obj)
        if kind is _Cell:
            return _reduced_cell(obj)
        if kind is RemoteFunction:
            return self._remote_function(obj)
        if kind is types.MethodType:
            return self._method(obj)
        if isinstance(obj, types.ModuleType) and sys.modules.get(obj.__name__) is obj:
            return import_module, (obj.__name__,)
        if kind in _SPECIAL:
            return self._special(obj)
        if kind is TextIOWrapper and obj not in (sys.stdout, sys.stderr):
            raise PicklingError("an open file cannot travel")  # cloudpickle would send a copy
        return NotImplemented

    def _own_name(self, obj: Any) -> str | None:
        """The name under which the main script defines a function, if it does."""
        name = getattr(obj, "__name__", None)
        if name is None or getattr(obj, "__module__", None) != MAIN:
            return None
        found = self._main.get(name)
        if type(found) is RemoteFunction:
            found = original_of(found)
        return name if found is obj else None

    def _method(self, obj: types.MethodType) -> Any:
        if _is_found_by_name(obj):
            return NotImplemented
        self.binds = True
        return types.MethodType, (obj.__func__, obj.__self__)

    def _remote_function(self, obj: Any) -> Any:
        if obj.__module__ != MAIN:
            if _is_importable(obj):
                return NotImplemented  # remote in replicas of other modules too
            return own_function, (obj.__module__, obj.__name__)
        if self._defining:
            attributes = {name: value for name, value in vars(obj).items() if name != "__doc__"}
            return _itself, (original_of(obj),), attributes or None
        name = next((name for name, value in self._main.items() if value is obj), None)
        if name is None:  # bound to something else by now
            return _itself, (original_of(obj),)
        self.names[name] = None
        return own, (name,)

    def _function(self, obj: types.FunctionType) -> Any:
        name = self._own_name(obj)
        if name is not None:
            self.names[name] = None
            if not self._defining:
                return own, (name,)
        elif is_hidden(obj):
            return own_function, (obj.__module__, obj.__name__)
        elif _is_importable(obj):
            if obj.__module__ != MAIN:
                return NotImplemented
            if not self._defining:  # a method
                self.names[obj.__qualname__.partition(".")[0]] = None
                return NotImplemented
        return self._take_apart(obj, 0 if name is None or obj.__closure__ else _number_of(obj))

    def _take_apart(self, obj: types.FunctionType, number: int) -> Any:
        self.functions.append(obj)
        code = plain_code(obj.__code__)
        home = home_of(obj)
        state = {name: getattr(obj, name) for name in _ATTRIBUTES}
        state["__dict__"] = {**vars(obj), "__module__": obj.__module__}
        if home is None:
            known = obj.__globals__
            state["globals"] = {name: known[name] for name in global_names(code) if name in known}
        elif home == MAIN:
            self.names.update(dict.fromkeys(global_names(code)))
        made = (_marshalled(code), home, obj.__name__, obj.__closure__, number)
        return _make_function, made, state, None, None, _fill_function

    def _special(self, obj: Any) -> Any:
        name = self._own_name(obj)
        if name is not None:
            self.names[name] = None
            if not self._defining:
                return own, (name,)
        elif _is_importable(obj):
            return NotImplemented
        return _SPECIAL[type(obj)](obj)

    def _class(self, obj: type) -> Any:
        if obj.__module__ == MAIN and _is_importable(obj):
            self.names[obj.__qualname__.partition(".")[0]] = None
            if not self._defining:
                return NotImplemented
        elif _is_importable(obj):
            return NotImplemented
        if self._homeward and obj in _classes._DYNAMIC_CLASS_TRACKER_BY_CLASS and obj not in _born:
            return _tracked, (_classes._get_or_create_tracker_id(obj),)
        self.classes.append(obj)
        _born.add(obj)
        _kept.append(obj)
        reduced = super().reducer_override(obj)
        if reduced is NotImplemented or reduced[0] is not _classes._make_skeleton_class:
            return reduced
        return _make_class, _how_to_make(obj, reduced[1]), *reduced[2:]


# ---- what is known of functions and classes ------------------------------------------------------


def home_of(function: types.FunctionType) -> str | None:
    """The module whose dict are the function's globals, if there is one."""
    name = function.__globals__.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) else None
    return name if module is not None and vars(module) is function.__globals__ else None


def is_hidden(function: types.FunctionType) -> bool:
    """Whether this is a remote module's own function, in place of which clients find another."""
    module = sys.modules.get(function.__module__)
    if module is None or function.__module__ == MAIN:
        return False
    name = function.__name__
    return vars(module).get(name) is function and getattr(module, name, function) is not function


def _is_importable(obj: Any) -> bool:
    """Whether the name of a function or class leads to it."""
    found: Any = sys.modules.get(getattr(obj, "__module__", None) or "")
    name: Any = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", "")
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is obj


def _is_found_by_name(method: types.MethodType) -> bool:
    """Whether its function's name leads to a bound method, which is how pickle sends it."""
    owner, name = method.__self__, getattr(method.__func__, "__name__", None)
    if name in getattr(owner, "__dict__", ()) and not isinstance(owner, type):
        return False
    line = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    found = next((vars(base)[name] for base in line if name in vars(base)), None)
    found = found.__func__ if isinstance(found, classmethod) else found
    return found is method.__func__


def forget() -> None:
    """The program has ended: let go of its classes."""
    _kept.clear()


def parts_of(part: Any, defining: bool) -> Iterator[object]:
    """What a function, a class or a property consists of: what travels if it travels by value.

    Args:
        part: The definition.
        defining: Whether the globals that it reads count.
    """
    if isinstance(part, type):
        yield from part.__bases__
        for name, value in vars(part).items():
            if not (name.startswith("_") and name.endswith("_")) or callable(value):
                yield value
    elif type(part) is RemoteFunction:
        yield from vars(part).values()
        yield original_of(part)
    elif isinstance(part, property):
        yield from (part.fget, part.fset, part.fdel)
    elif isinstance(part, (classmethod, staticmethod)):
        yield part.__func__
    else:
        yield from contents_of(part)
        if defining and part.__globals__ is vars(sys.modules[MAIN]):
            known = part.__globals__
            names = global_names(plain_code(part.__code__))
            yield from (known[name] for name in names if name in known)


def contents_of(function: types.FunctionType) -> Iterator[object]:
    """What a function holds besides its code."""
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from vars(function).values()
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not bound yet
            yield cell.cell_contents


@functools.cache
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """The global names that code reads or writes, code inside it included."""
    return tuple(dict.fromkeys(_global_names(code)))


def _global_names(code: types.CodeType) -> Iterator[str]:
    from dis import get_instructions

    for instruction in get_instructions(code):
        if instruction.opname in _GLOBAL_ACCESS:
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)


_GLOBAL_ACCESS = frozenset(
    "LOAD_GLOBAL STORE_GLOBAL DELETE_GLOBAL LOAD_NAME LOAD_FROM_DICT_OR_GLOBALS".split()
)


def _reduced_cell(cell: types.CellType) -> Any:
    """Filled after it is known, for what is in it may lead back to it."""
    try:
        contents = (cell.cell_contents,)
    except ValueError:  # empty
        return _cell, ()
    return _cell, (), contents, None, None, _fill_cell


_numbers: weakref.WeakKeyDictionary[types.FunctionType, int] = weakref.WeakKeyDictionary()
_count = itertools.count(1)


def _number_of(function: types.FunctionType) -> int:
    """The number by which the other side knows a function again, to keep one of it."""
    if function not in _numbers:
        _numbers[function] = next(_count)
    return _numbers[function]


_codes: dict[int, tuple[types.CodeType, bytes]] = {}


def _marshalled(code: types.CodeType) -> bytes:
    """The same bytes each time for one code object, which marshal does not promise."""
    if id(code) not in _codes:
        _codes[id(code)] = code, marshal.dumps(code)
    return _codes[id(code)][1]


def _how_to_make(cls: type, by_cloudpickle: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of `_make_class`: with slots, and without the program's metaclass."""
    *_, body, number, _ = by_cloudpickle
    asked_for = ("__slots__", "__orig_bases__")  # when it is made, not later
    body |= {name: vars(cls)[name] for name in asked_for if name in vars(cls)}
    body["__qualname__"] = cls.__qualname__
    metaclass: Any = type(cls)
    maker = next(one for one in metaclass.__mro__ if one.__module__ != MAIN and _is_importable(one))
    return maker, metaclass, cls.__name__, cls.__bases__, body, number


# ---- on arrival ----------------------------------------------------------------------------------


def own(name: str) -> Any:
    """What the main script has under a name."""
    return vars(sys.modules[MAIN])[name]


def own_function(module: str, name: str) -> Any:
    """The function that a module's own code knows under a name."""
    return vars(import_module(module))[name]


def _itself(obj: Any) -> Any:
    return obj


# Functions that came here, by the numbers that they have where they are defined.
_came: dict[int, types.FunctionType] = {}


def _cell() -> types.CellType:
    return _Cell()


def _fill_cell(cell: types.CellType, contents: tuple[object]) -> None:
    (cell.cell_contents,) = contents


def _make_function(
    code: bytes,
    home: str | None,
    name: str,
    closure: tuple[types.CellType, ...] | None,
    number: int,
) -> types.FunctionType:
    """A function; the one that came before under its number, if it has one."""
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


def _fill_function(function: types.FunctionType, state: dict[str, Any]) -> None:
    function.__globals__.update(state.pop("globals", ()))
    attributes = state.pop("__dict__")
    function.__module__ = attributes.pop("__module__")
    vars(function).update(attributes)
    for name, value in state.items():
        setattr(function, name, value)


def _make_class(
    maker: type,
    metaclass: type,
    name: str,
    bases: tuple[type, ...],
    body: dict[str, Any],
    number: str,
) -> type:
    """A class as it is before its attributes are set; no code of the program's runs.

    What the program's metaclass and `__init_subclass__` did to it is among its attributes.
    """
    found: type | None = _classes._DYNAMIC_CLASS_TRACKER_BY_ID.get(number)
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
    tracked: type = _classes._lookup_class_or_track(number, made)
    return tracked


def _tracked(number: str) -> type:
    """The class that left this process under a number."""
    found: type = _classes._DYNAMIC_CLASS_TRACKER_BY_ID[number]
    return found


# ---- objects of the library that refuse to travel ------------------------------------------------


def _cached(obj: Any) -> Any:
    return _make_cached, (obj.cache_parameters(), obj.__wrapped__), vars(obj)


def _make_cached(parameters: dict[str, Any], function: Callable[..., Any]) -> Any:
    return functools.lru_cache(**parameters)(function)


def _cached_property(obj: Any) -> Any:
    return _make_cached_property, (obj.func, obj.attrname)


def _make_cached_property(function: Callable[..., Any], name: str | None) -> Any:
    made = functools.cached_property(function)
    made.attrname = name
    return made


def _weak_dict(obj: Any) -> Any:
    return weakref.WeakKeyDictionary, (dict(obj),)


def _new_type(obj: Any) -> Any:
    return typing.NewType, (obj.__name__, obj.__supertype__)


_SPECIAL: dict[type, Callable[[Any], Any]] = {
    _Cached: _cached,
    functools.cached_property: _cached_property,
    weakref.WeakKeyDictionary: _weak_dict,
    typing.NewType: _new_type,
}
