"""Functions and classes that travel by value: those that the other side cannot import.

These are the main script's own, lambdas, closures and local classes of any module, and classes
whose metaclass says by `copyreg` how they are made: a library may make them while the program runs,
so the other side has none under their names, and what makes them anew would replace them here. A
function of the main script finds its globals in `__main__` of the process that it runs in, which
for a replica is a mirror of the program's (see `mirror`); others in the module they come from.

Classes are taken apart by cloudpickle. Each has a number of its own and is made once in a process,
so another version of a class changes the one that is there. `arrivals` makes it all again.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import marshal
import sys
import types
import typing
import weakref
from _pickle import PicklingError
from collections import deque
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from cloudpickle import Pickler as _ClassPickler
from cloudpickle import cloudpickle as _classes

from cord._core import RemoteFunction, name_of, original_of
from cord.runtime.objects.classes import held_by_members
from cord.runtime.objects.closures import Closure, as_function, held_by_function
from cord.runtime.objects.loggers import is_logger_class, is_nameless
from cord.runtime.objects.sources import plain_code
from cord.runtime.travel import arrivals
from cord.runtime.travel.arrivals import own, own_function
from cord.runtime.travel.faithful import reduced_alone
from cord.runtime.travel.forms import is_made_by_reducer
from cord.runtime.travel.holders import own_name

MAIN = arrivals.MAIN
_Cached = functools._lru_cache_wrapper
# Classes that were taken apart here; the late ones are kept, to be there when they return.
_born: weakref.WeakSet[type] = weakref.WeakSet()
_kept: deque[type] = deque(maxlen=256)
_Marker: type = dataclasses._FIELD_BASE  # type: ignore[attr-defined]
_ATTRIBUTES = ("__defaults__", "__kwdefaults__", "__doc__", "__qualname__")


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
        bound: Container[tuple[str, str]] = (),
    ) -> None:
        super().__init__(file, 5, buffer_callback=buffers)
        self._defining = defining
        self._homeward = homeward
        self._bound = bound
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
        if kind is Closure:
            return self._function(as_function(obj))
        if issubclass(kind, type):
            return self._class(obj)
        if kind is types.CellType:
            return _reduced_cell(obj)
        if kind is RemoteFunction:
            return self._remote_function(obj)
        if kind is types.MethodType:
            return self._method(obj)
        if isinstance(obj, types.ModuleType) and sys.modules.get(obj.__name__) is obj:
            return import_module, (obj.__name__,)
        if kind in _SPECIAL:
            return self._special(obj)
        if kind is _Marker:
            return arrivals.marker_of_dataclasses, (obj.name,)
        if kind is TextIOWrapper and obj not in (sys.stdout, sys.stderr):
            raise PicklingError("an open file cannot travel")  # cloudpickle would send a copy
        if kind in _LOSSY:
            raise PicklingError(f"a {kind.__name__} is more than what can be sent of it")
        if is_logger_class(kind) and is_nameless(obj):  # cloudpickle would send another one
            raise PicklingError("a logger that its name does not lead to cannot travel")
        return self._faithful(obj)

    def _faithful(self, obj: Any) -> Any:
        name = own_name(obj)
        if name is not None:
            self.names[name] = None
            if not self._defining:
                return own, (name,)
            return NotImplemented
        return reduced_alone(obj, self._defining)

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
            if self._is_bound(obj):
                return self._take_apart(original_of(obj), 0)
            if _is_importable(obj):
                return NotImplemented  # remote in replicas of other modules too
            return own_function, (obj.__module__, name_of(obj))
        if self._defining:
            attributes = {name: value for name, value in vars(obj).items() if name != "__doc__"}
            return arrivals.itself, (original_of(obj),), attributes or None
        name = next((name for name, value in self._main.items() if value is obj), None)
        if name is None:  # bound to something else by now
            return arrivals.itself, (original_of(obj),)
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
        elif _is_importable(obj) and not self._is_bound(obj):
            if obj.__module__ != MAIN:
                return NotImplemented
            if not self._defining:  # a method
                self.names[obj.__qualname__.partition(".")[0]] = None
                return NotImplemented
        return self._take_apart(obj, 0 if name is None or obj.__closure__ else _number_of(obj))

    def _is_bound(self, obj: Any) -> bool:
        """Whether its name is what the other side is to bind to it, and leads to something else."""
        plain = original_of(obj) if type(obj) is RemoteFunction else obj
        is_plain = type(plain) is types.FunctionType
        return is_plain and (plain.__module__, plain.__qualname__) in self._bound

    def _take_apart(self, obj: types.FunctionType, number: int) -> Any:
        self.functions.append(obj)
        code = plain_code(obj.__code__)
        home = home_of(obj)
        # from Python 3.14 on to read the annotations runs the program's code, which travels instead
        annotates = getattr(obj, "__annotate__", None) is not None
        annotations = "__annotate__" if annotates else "__annotations__"
        state = {name: getattr(obj, name) for name in (*_ATTRIBUTES, annotations)}
        state["__dict__"] = {**vars(obj), "__module__": obj.__module__}
        if home is None:
            known = obj.__globals__
            state["globals"] = {name: known[name] for name in global_names(code) if name in known}
        elif home == MAIN:
            self.names.update(dict.fromkeys(global_names(code)))
        made = (_marshalled(code), home, obj.__name__, obj.__closure__, number)
        return arrivals.make_function, made, state, None, None, arrivals.fill_function

    def _special(self, obj: Any) -> Any:
        name = self._own_name(obj)
        if name is not None:
            self.names[name] = None
            if not self._defining:
                return own, (name,)
        elif _is_importable(obj):
            if obj.__module__ != MAIN:
                return NotImplemented
            if not self._defining:  # a method
                self.names[obj.__qualname__.partition(".")[0]] = None
                return NotImplemented
        elif type(obj) is _Cached and not (self._defining or self._homeward):
            raise PicklingError("what a cache keeps and counts does not travel")
        return _SPECIAL[type(obj)](obj)

    def _class(self, obj: type) -> Any:
        if obj.__module__ == MAIN and _is_importable(obj):
            self.names[obj.__qualname__.partition(".")[0]] = None
            if not self._defining:
                return NotImplemented
        elif _is_importable(obj) and not is_made_by_reducer(type(obj)):
            return NotImplemented
        if self._homeward and arrivals.has_travelled(obj) and obj not in _born:
            return arrivals.class_of, (arrivals.number_of(obj),)
        self.classes.append(obj)
        _born.add(obj)
        _kept.append(obj)
        reduced = self._described(obj)
        if reduced is not NotImplemented and reduced[0] is _classes._builtin_type:
            return arrivals.type_of_python, reduced[1]
        if reduced is NotImplemented or len(reduced) < 6:
            return reduced
        make, described, state, *_ = reduced
        if make is _classes._make_skeleton_class:
            make, described = arrivals.make_class, _how_to_make(obj, described)
        else:
            make, described = arrivals.make_enumeration, (arrivals.number_of(obj), described[:-2])
            state = ({**state[0], arrivals.MEMBERS: held_by_members(obj)}, *state[1:])
        return make, described, state, None, None, arrivals.fill_class

    def _described(self, obj: type) -> Any:
        if is_made_by_reducer(type(obj)):  # to cloudpickle its name is enough
            return _classes._dynamic_class_reduce(obj)
        return super().reducer_override(obj)


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
    owner = method.__self__
    name: Any = getattr(method.__func__, "__name__", None)
    if isinstance(owner, type):
        line = owner.__mro__
    else:
        line = type(owner).__mro__
        with suppress(AttributeError):  # it has slots
            if name in object.__getattribute__(owner, "__dict__"):
                return False
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
        yield from held_by_function(part)
        if defining and part.__globals__ is vars(sys.modules[MAIN]):
            known = part.__globals__
            names = global_names(plain_code(part.__code__))
            yield from (known[name] for name in names if name in known)


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
        return arrivals.make_cell, ()
    return arrivals.make_cell, (), contents, None, None, arrivals.fill_cell


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
    """The arguments of `make_class`: with slots, and without the program's metaclass."""
    *_, body, _, _ = by_cloudpickle
    asked_for = ("__slots__", "__orig_bases__")  # when it is made, not later
    body |= {name: vars(cls)[name] for name in asked_for if name in vars(cls)}
    body["__qualname__"] = cls.__qualname__
    metaclass: Any = type(cls)
    maker = next(one for one in metaclass.__mro__ if _is_maker(one))
    return maker, metaclass, cls.__name__, cls.__bases__, body, arrivals.number_of(cls)


def _is_maker(metaclass: type) -> bool:
    others = metaclass.__module__ != MAIN and _is_importable(metaclass)
    return others and not is_made_by_reducer(metaclass)  # which may be called otherwise


# ---- objects of the library that refuse to travel ------------------------------------------------


def _cached(obj: Any) -> Any:
    return arrivals.make_cached, (obj.cache_parameters(), obj.__wrapped__), vars(obj)


def _cached_property(obj: Any) -> Any:
    return arrivals.make_cached_property, (obj.func, obj.attrname)


def _new_type(obj: Any) -> Any:
    return typing.NewType, (obj.__name__, obj.__supertype__)


# What cloudpickle sends as something else, or empty.
_LOSSY = frozenset(
    {memoryview, weakref.WeakSet, weakref.WeakKeyDictionary, weakref.WeakValueDictionary}
)
_SPECIAL: dict[type, Callable[[Any], Any]] = {
    _Cached: _cached,
    functools.cached_property: _cached_property,
    typing.NewType: _new_type,
}
