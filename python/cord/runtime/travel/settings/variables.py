"""Context variables: where they are found by a name, and what they hold."""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress
from contextvars import Context, ContextVar, Token, copy_context

from cord import _core
from cord.runtime.travel.executed import when_executed
from cord.runtime.travel.settings.rows import Row, Untold
from cord.runtime.travel.within import loaded_by, served

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    # A module, and the names and keys that lead from it to a variable.
    Place = tuple[str, tuple[str, ...]]

# Those that rows of their own tell of, by the names that they show.
_OWN = frozenset({"decimal_context", "numpy.ufunc.extobj", "numpy_extobj", "format_options"})
_MAIN = "__main__"
# What never changes, and modules of such.
_ATOMS = (int, float, complex, bool, str, bytes, type(None))
_OF_VALUES = frozenset({"datetime", "decimal", "fractions", "uuid", "pathlib", "zoneinfo"})
# What is told of a module whose variables are not; a call that loads it is stopped for that.
_LEFT_OUT = b""
_UNSENT = "unsent"
_NOWHERE: Place = "", ()

_places: dict[ContextVar[Any], Place] = {}


def _first() -> Context | dict[ContextVar[Any], Any]:
    """What variables held when replicas were started: these hold the same."""
    return _core.first_context() or {}


def value_here(name: str) -> Any:
    """What a variable of this name holds in this context; None if there is none."""
    return next((value for one, value in copy_context().items() if one.name == name), None)


def read(without: frozenset[str] = frozenset()) -> dict[Place, bytes] | None:
    """What variables hold that a module has under a name.

    A variable that only an object holds is left out: only that object leads a function to it.

    Args:
        without: Modules of which it is only told that they have some.

    Raises:
        Untold: One of them holds what cannot travel.
    """
    told: dict[Place, bytes] = {(module, ()): _LEFT_OUT for module in without}
    for (module, path), value in _changed():
        if module not in without:
            name = f"{module}.{'.'.join(path)}"
            told[module, path] = _encoded(value, name)
            if _may_change(module, value):
                raise Untold(f"the context variable {name} holds what may change in place")
    return dict(sorted(told.items())) or None


def _changed() -> Iterator[tuple[Place, Any]]:
    first = _first()
    for variable, value in copy_context().items():
        if variable.name in _OWN or first.get(variable, Untold) is value:
            continue
        place = _place_of(variable)
        # What the script defines travels with what mentions it; Cord's own are each process's.
        if place[0] not in ("", _MAIN) and not place[0].startswith("cord."):
            yield place, value


def _may_change(module: str, value: Any) -> bool:
    """Whether the project may change what a variable holds, which no context would tell."""
    if _is_fixed(value):
        return False
    from cord.runtime.objects.reach import is_of_project  # replicas do not need it

    return is_of_project(sys.modules.get(module))


def _is_fixed(value: Any) -> bool:
    kind = type(value)
    if kind in (tuple, frozenset):
        return all(map(_is_fixed, value))
    params = getattr(kind, "__dataclass_params__", None)
    if params is not None and params.frozen:
        return all(map(_is_fixed, getattr(value, "__dict__", {"": []}).values()))
    return kind in _ATOMS or kind.__module__ in _OF_VALUES or hasattr(kind, "_member_map_")


# Modules of which calls have shown that replicas load them.
_sent: set[str] = set()


def send(module: str) -> None:
    """From now on replicas are told what a module's variables hold: one has loaded it."""
    _sent.add(module)


def left_out() -> frozenset[str]:
    """Modules with variables that are set, and which replicas have not loaded, as far as is known.

    A function gets at a variable through the module that has it. What a call loads after all, it
    is stopped for.
    """
    modules = {place[0] for place, _ in _changed()} - _sent
    return frozenset(modules - loaded_by(served)) if modules else frozenset()


def _whole() -> dict[Place, bytes]:
    return read() or {}


def _encoded(value: object, name: str) -> bytes:
    try:
        encoded = pickle.dumps(value, 5)
    except Exception as exc:
        said = f"{type(exc).__name__}: {exc}"
        raise Untold(f"the context variable {name} holds what cannot travel ({said})") from None
    if b"__main__" in encoded:
        raise Untold(f"the context variable {name} holds what the main script defines")
    return encoded


def _place_of(variable: ContextVar[Any]) -> Place:
    place = _places.get(variable)
    if place is None or (place is not _NOWHERE and _at(place) is not variable):
        place = _places[variable] = _found(variable)
    return place


def _found(variable: ContextVar[Any]) -> Place:
    """Look in the modules, then in classes, dicts and objects that these have under a name.

    Last in the main script, which may have imported it: replicas have no main script.
    """
    modules = [(name, vars(one)) for name, one in sys.modules.copy().items() if _has_names(one)]
    others = [(name, names) for name, names in modules if name != _MAIN]
    place = _found_in(others, variable)
    return _found_in(modules, variable) if place is _NOWHERE else place


def _found_in(modules: list[tuple[str, dict[str, Any]]], variable: ContextVar[Any]) -> Place:
    for module, names in modules:
        for name, value in names.copy().items():
            if value is variable:
                return module, (name,)
    for module, names in modules:
        for name, value in names.copy().items():
            inner = value if type(value) is dict else _names_of(value)
            for key, one in inner.copy().items():
                if one is variable and type(key) is str:
                    return module, (name, key)
    return _NOWHERE


def _has_names(module: object) -> bool:
    return isinstance(module, type(sys))


def _names_of(value: object) -> dict[str, Any]:
    try:
        names = object.__getattribute__(value, "__dict__")
    except Exception:
        return {}
    return dict(names) if type(names) in (dict, type(type.__dict__)) else {}


def _at(place: Place) -> object:
    found: Any = sys.modules.get(place[0])
    for name in place[1]:
        found = found.get(name) if type(found) is dict else _names_of(found).get(name)
    return found


# What this process was told last.
_told: list[dict[Place, bytes] | None] = [None]
# What undoes what was set, newest last.
_set: list[tuple[ContextVar[Any], Token[Any]]] = []


def write(value: dict[Place, bytes] | None) -> None:
    """Have variables hold in this context what they hold in the client's.

    Args:
        value: What `read` returned.

    Raises:
        Stopped: A module was left out that is loaded here.
    """
    _told[0] = value
    while _set:
        variable, token = _set.pop()
        try:
            variable.reset(token)
        except ValueError:  # it was set in another context, which is gone
            continue
    left_out = {module for module, path in value or {} if not path}
    # who is stopped while it loads one has not loaded it, and may come to it again
    for module in ({module for module, _ in value or {}} - sys.modules.keys()) | left_out:
        when_executed(module, "variables", lambda _: write(_told[0]))
    _put(value or {})
    for module in left_out & sys.modules.keys():
        _core.stop_call(_UNSENT, module)


def _put(values: Mapping[Place, bytes | None]) -> None:
    """Set variables that modules have which are loaded."""
    for place, encoded in values.items():
        found = _at(place) if place[1] else None
        if isinstance(found, ContextVar) and encoded is not None:
            _set.append((found, found.set(pickle.loads(encoded))))
        elif isinstance(found, ContextVar):
            _unset(found)


def _unset(variable: ContextVar[Any]) -> None:
    """Have a variable hold nothing again, if that was so before it was first set here."""
    for one, token in _set:
        if one is variable and token.old_value is Token.MISSING:
            with suppress(ValueError, RuntimeError):  # in another context, or done already
                variable.reset(token)


ROWS = [
    Row(
        "variables",
        "_contextvars",
        read,
        write,
        is_of_thread=True,
        told="context variables",
        whole=_whole,
        put=_put,
        comes_with_modules=True,
        left_out=left_out,
    )
]
