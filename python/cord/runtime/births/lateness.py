"""Whether the value of a call may be received late, and how to put back what was done meanwhile.

The text shows which functions run while the call is under way, and which variables they start from
(`translate/program/receiving.py`). Here these are looked at as they are: each name must mean what
the text has it mean, and what the variables lead to must run no code of the program's that the text
does not show. Then nobody can tell what happens before the value comes, but by what is put back if
there is none.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import builtins
import datetime
import io
import sys
from _thread import _count, get_ident
from collections import deque
from threading import main_thread
from types import BuiltinFunctionType, BuiltinMethodType, FunctionType, ModuleType

from cord import _core
from cord.runtime.objects.classes import ANNOTATES, BEHIND_FACADE, is_enumeration
from cord.runtime.objects.frames import variables
from cord.runtime.objects.instances import behaves, is_generated, is_named_tuple, is_simple, parts
from cord.runtime.objects.iterators import is_library_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from cord.runtime.births.births import Births
    from cord.translate.results import LateResult

    _How = tuple[_core.RemoteFunction, bool]

_COPIED = (list, dict, set, bytearray, deque)
_FIXED = (int, float, str, bool, bytes, complex, type(None), tuple, frozenset, range)
_CONSTANT = frozenset({int, float, str, bool, bytes, complex, type(None), range})
_VALUES = frozenset({"fractions.Fraction", "array.array", "re.Pattern"})
_TIMES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
_OF_TUPLES = ("__new__", "__repr__", "__getnewargs__", "__replace__")
_MISSING = object()


class Kept:
    """What a frame's variables and containers were like when a call was made.

    Args:
        names: The variables that may be bound to something else meanwhile.
        values: All variables.
        changed: The containers that may be changed.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        values: dict[str, Any],
        changed: list[Any],
    ) -> None:
        self._values = {name: values.get(name, _MISSING) for name in names}
        self._changed = [(one, one.copy()) for one in changed]

    def undo(self) -> None:
        """Put the containers back."""
        for one, before in self._changed:
            if isinstance(one, (list, bytearray)):
                one[:] = before
            else:
                one.clear()
                (one.extend if hasattr(one, "extend") else one.update)(before)
        self._changed.clear()

    def had(self, name: str) -> bool:
        """Whether the variable was bound, and may be bound to something else now."""
        return self._values.get(name, _MISSING) is not _MISSING

    def kept(self, name: str) -> Any:
        """What it was bound to."""
        return self._values[name]

    def lacked(self, name: str) -> bool:
        """Whether the variable was not bound, and may be bound now."""
        return self._values.get(name) is _MISSING


class Lateness:
    """What must hold for the value of one call to be received late.

    Args:
        births: The run's scouts, which know the project's functions.
        module: The module of the call.
        known: What the text says.
    """

    def __init__(self, births: Births, module: str, known: LateResult) -> None:
        self._births = births
        self._module = module
        self._known = known
        self._attributes = frozenset(known.attributes)
        self._methods = {name: frozenset(which) for name, which in known.methods}
        self._unrestorable = False  # something that may be changed cannot be put back
        self._classes: dict[type, tuple[bool, tuple[Any, ...]] | None] = {}

    def look(self, budget: int, args: tuple[Any, ...], named: list[Any], how: _How) -> Kept | None:
        """What is to be put back if the call raises; None if its value must be received at once.

        Args:
            budget: How many objects may be looked at.
            args: The call's arguments.
            named: Its keyword arguments.
            how: What is called, and whether it is declared to have no effects.
        """
        try:
            return self._look(budget, [*args, *named], how, sys._getframe(1))
        except Exception:  # what cannot be looked at is not known
            return None

    def _look(self, budget: int, given: list[Any], how: _How, frame: FrameType) -> Kept | None:
        function, is_pure = how
        known = self._known
        if _has_handlers():
            return None  # what they raise, or print, is to come in the midst of the call
        if _is_heard():
            return None  # what the call tells would be there before its value
        shares = known.in_module or known.changed or known.changes
        if shares and _count():
            return None  # other threads may look on
        if not is_pure and _core.reach(given, budget, _nothing) is None:
            return None
        values = frame.f_globals if known.in_module else variables(frame)
        starts = [values[name] for name in known.names if name in values]
        for callee in known.callees:
            if not self._is_as_known(callee, frame, starts):
                return None
        of_modules = []
        for module, path in known.paths:
            found = self._find(module, path, frame)
            if found is not _MISSING:
                starts.append(found)
                if module != "__main__" or "." in path:
                    of_modules.append(found)
        holder = values.get(known.holder)
        if known.holder and not self._can_hold(holder):
            return None
        self._classes.clear()  # they may have changed
        self._unrestorable = False
        led = _core.reach(starts, budget, self._parts)
        self._classes.clear()
        if led is None or any(one is holder for one in led[0]):
            return None
        reached, instances = led
        changed = self._changed(values, reached)
        if changed is None:
            return None
        # whatever the plan says, the call may change what the local work reads
        read = [*reached, *changed, *filter(_can_change, instances)]
        if not {*map(type, of_modules)} <= _CONSTANT or _holds_any(function, read):
            return None
        if self._has_any(given, read, budget):
            return None
        return Kept(known.assigned, values, changed)

    def _has_any(self, given: list[Any], objects: list[Any], budget: int) -> bool:
        """Whether arguments may lead to any of these."""
        if not objects or {*map(type, given)} <= _CONSTANT:
            return False
        held = _core.reach(given, budget, self._all_parts)
        self._classes.clear()
        if held is None:
            return True
        return not {*map(id, objects)}.isdisjoint(map(id, [*held[0], *held[1]]))

    def _all_parts(self, value: Any) -> tuple[Any, ...] | None:
        """The same as `_parts`, and what has names that the local work does not read."""
        found = self._parts(value)
        return found and (*found, *(parts(value) or {}).values())

    def _can_hold(self, holder: Any) -> bool:
        """Whether what gets the value may get it later: a list, or a number that is added to."""
        return type(holder) is list if self._known.appended else type(holder) in _FIXED

    def _changed(self, values: dict[str, Any], containers: list[Any]) -> list[Any] | None:
        """The containers that may be changed; None if one of them could not be put back."""
        if self._known.changes:
            return None if self._unrestorable else containers
        changed = []
        for name in self._known.changed:
            value = values.get(name)
            if type(value) in _COPIED:
                changed.append(value)
            elif type(value) not in _FIXED:
                return None
        return changed

    # ---- names ---------------------------------------------------------------------------------

    def _find(self, module: str, path: str, frame: FrameType) -> Any:
        """What a path in a module of the project leads to."""
        first, *others = path.split(".")
        there = frame.f_globals if module == self._module else vars(sys.modules[module])
        found = there.get(first, _MISSING)
        if found is _MISSING:
            found = getattr(builtins, first, _MISSING)
        for name in others:
            if not _is_module(found):
                return found  # what an instance has is looked at with the instance
            found = getattr(found, name) if name in vars(found) else _MISSING
        return found

    def _is_as_known(
        self, callee: tuple[str, str, str, str, str], frame: FrameType, starts: list[Any]
    ) -> bool:
        """Whether a name means what the text has it mean."""
        module, path, kind, own, name = callee
        found = self._find(module, path, frame)
        if kind == "builtin":
            return _is_builtin(found, name)
        if kind == "library":
            return _is_of_library(found, name)
        if kind == "remote":
            return type(found) is _core.RemoteFunction
        if type(found) is not FunctionType or self._births.key_of(_core.running_code(found)) != (
            own,
            name,
        ):
            return False
        starts.extend(found.__defaults__ or ())
        starts.extend((found.__kwdefaults__ or {}).values())
        return True

    # ---- objects -------------------------------------------------------------------------------

    def _parts(self, value: Any) -> tuple[Any, ...] | None:
        """What an object that is not built in leads to; None if its class has code of its own."""
        cls = type(value)
        if is_named_tuple(cls):
            return tuple(value) if _is_mere_tuple(cls) else None
        if is_library_dict(cls):
            self._unrestorable = True
            if getattr(value, "default_factory", None) is not None:
                return None  # to look something up may put it there
            return (*value.keys(), *value.values())
        self._unrestorable = self._unrestorable or cls.__name__ == "array"
        if cls in _TIMES or f"{cls.__module__}.{cls.__qualname__}" in _VALUES:
            return ()
        if is_enumeration(cls):
            return (value._value_,)
        if cls not in self._classes:
            self._classes[cls] = self._of_class(cls)
        told = self._classes[cls]
        if told is None:
            return None
        whole, shared = told
        inside = parts(value)
        if inside is None:
            return None
        if whole:
            return (*shared, *inside.values())
        return (*shared, *(inside[name] for name in self._attributes if name in inside))

    def _of_class(self, cls: type) -> tuple[bool, tuple[Any, ...]] | None:
        """Whether all attributes of instances count, and what the class has of those that do.

        None if the class has code of its own that the text does not show.
        """
        if not is_simple(cls) or any(behaves(base) for base in cls.__mro__[:-1]):
            return None
        shared: list[Any] = []
        for name in (*self._attributes, *self._methods):
            found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
            function = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
            function = function.fget if type(function) is property else function
            if type(function) is FunctionType:
                key = self._births.key_of(_core.running_code(function))
                if name in self._methods and key not in self._methods[name]:
                    return None
                if key is None:
                    return None
            elif not hasattr(type(found), "__get__"):
                shared.append(found)
            elif type(found).__name__ != "member_descriptor":
                return None
        whole = any(is_generated(cls, one) for base in cls.__mro__ for one in vars(base).values())
        return whole, tuple(shared)


def _can_change(value: object) -> bool:
    """Whether attributes of an object may be set, as far as its class tells."""
    return not (is_named_tuple(type(value)) or is_enumeration(type(value)))


def _holds_any(function: _core.RemoteFunction, objects: list[Any]) -> bool:
    """Whether the module of a function has one of these under a name."""
    module = sys.modules.get(function.__module__)
    held = () if module is None else vars(module).values()
    return not {*map(id, objects)}.isdisjoint(map(id, held))


def _is_mere_tuple(cls: type) -> bool:
    """Whether a class of named tuples has no operators and the like of its own."""
    return not any(
        type(found) is FunctionType
        and name.startswith("__")
        and not (name in _OF_TUPLES and _is_generated(found))
        and name not in ANNOTATES
        for base in cls.__mro__[:-2]
        for name, found in vars(base).items()
    )


def _is_generated(function: FunctionType) -> bool:
    module = function.__globals__.get("__name__", "")
    return str(module) == "collections" or str(module).startswith("namedtuple_")


def _is_module(found: object) -> bool:
    """Whether reading a name that this has runs no code of the program's."""
    cls = type(found)
    return cls is ModuleType or vars(cls).get(BEHIND_FACADE) is ModuleType


def _has_handlers() -> bool:
    """Whether signals run code of the program's."""
    if get_ident() != main_thread().ident:
        return False
    usual = (_signal.SIG_DFL, _signal.SIG_IGN, None, _signal.default_int_handler)
    return any(_signal.getsignal(number) not in usual for number in range(1, _signal.NSIG))


def _is_heard() -> bool:
    """Whether what a call prints, warns of or logs changes something that the program may look at.

    It does if objects of the program's own get it: streams, lists of warnings, handlers, filters.
    """
    if type(sys.stdout) not in _STREAMS or type(sys.stderr) not in _STREAMS:
        return True
    warnings: Any = sys.modules.get("warnings")
    if warnings is not None:
        shown = (warnings.showwarning, warnings._showwarnmsg_impl, warnings.formatwarning)
        home = vars(sys.modules.get("_py_warnings", warnings))  # there they are since 3.14
        if any(getattr(one, "__globals__", None) is not home for one in shown):
            return True
    logging: Any = sys.modules.get("logging")
    if logging is None or not hasattr(logging, "root"):
        return False
    handlers = [one() for one in list(logging._handlerList)]
    if any(one is not None and _is_of_its_own(one, logging) for one in handlers):
        return True
    loggers = [logging.root, *list(logging.root.manager.loggerDict.values())]
    return any(getattr(one, "filters", ()) for one in loggers)


_STREAMS = (io.TextIOWrapper, io.StringIO, type(None))


def _is_of_its_own(handler: Any, logging: Any) -> bool:
    """Whether a handler of log records does more than write them to a file or a stream."""
    if type(handler) in (logging.NullHandler, logging._StderrHandler):
        return False
    if not isinstance(handler, logging.StreamHandler) or handler.filters:
        return True
    if type(handler).__module__.partition(".")[0] != "logging":
        return True
    formatter = handler.formatter
    is_plain = formatter is None or type(formatter) is logging.Formatter
    return not is_plain or type(handler.stream) not in _STREAMS


def _nothing(_value: object) -> None:
    """Of objects that are not built in nothing is known."""


def _is_builtin(found: Any, name: str) -> bool:
    """Whether this is the builtin function or class of a name."""
    if type(found) is BuiltinFunctionType:
        return found.__self__ is builtins and found.__name__ == name
    return isinstance(found, type) and _is_of(found, "builtins", name)


def _is_of_library(found: Any, name: str) -> bool:
    """Whether this is the function or class of the library that has a dotted name."""
    module, _, last = name.rpartition(".")
    if isinstance(found, type):
        return _is_of(found, module, last)
    if type(found) is FunctionType:
        home = sys.modules.get(found.__module__)
        of_library = found.__module__.partition(".")[0] == module.partition(".")[0]
        return of_library and home is not None and found.__globals__ is vars(home)
    if type(found) not in (BuiltinFunctionType, BuiltinMethodType):
        return False
    owner = found.__self__
    return found.__name__ == last and isinstance(owner, (ModuleType, type))


def _is_of(found: type, module: str, name: str) -> bool:
    """Whether a class is built in, or the library's, and has this name."""
    return (found.__module__.lstrip("_"), found.__qualname__) in (
        (module, name),
        (module.rpartition(".")[0], f"{module.rpartition('.')[2]}.{name}"),
    )
