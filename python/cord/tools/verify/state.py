"""What a process keeps from call to call: the project's modules, and the library's settings.

Two snapshots of one process tell what lies between them. They look deeper than a pickle does: into
the attributes, defaults and closures of functions, into classes, and into what objects leave out
when they are copied. Snapshots of two processes cannot be compared; what `data_of` gives can.
"""

from __future__ import annotations

import functools
import os
import pickle
import random
import signal
import sys
import sysconfig
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b
from types import (
    BuiltinFunctionType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

from cord.tools.verify.alike import encoded

# Where a value is kept: the module, its name there, and its name in that if it has one.
Path = tuple[str, str, str]

LARGEST = 1 << 20  # bytes of a global that is compared between processes
_INSTALLED = tuple(
    os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib")
)
_BASES = (dict, list, tuple, set, frozenset, deque, int, float, complex, str, bytes, bytearray)
_BY_NAME = (ModuleType, BuiltinFunctionType, GetSetDescriptorType, MemberDescriptorType)
_CODE = (ModuleType, FunctionType, type)


@functools.cache
def is_own(path: str | None) -> bool:
    """Whether a file belongs to the project: it is not installed, and not Cord's."""
    if path is None or path.startswith("<"):
        return False
    whole = os.path.realpath(path)
    if "-packages" + os.sep in whole or whole.startswith(_INSTALLED):
        return False
    return not whole.startswith(_CORD)


_CORD = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))) + os.sep


def own_modules() -> list[ModuleType]:
    """The project's modules that are loaded, the main script among them."""
    return [
        module
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        and (name == "__main__" or is_own(getattr(module, "__file__", None)))
    ]


def snapshot() -> dict[Path, bytes]:
    """A digest of all that the project's modules and classes keep, by where they do."""
    found = {}
    for module in own_modules():
        for name, value in _variables(module):
            if isinstance(value, type) and value.__module__ == module.__name__:
                for attribute, part in list(vars(value).items()):
                    if not _is_hidden(attribute):
                        found[module.__name__, name, attribute] = _digest(part)
            else:
                found[module.__name__, name, ""] = _digest(value)
    return found


def data_of() -> dict[Path, bytes]:
    """The data that the project's modules keep, encoded, as far as it can be and is not large.

    That of classes, of objects and of dicts with names for keys is taken apart.
    """
    found = {}
    for module in own_modules():
        for name, value in _variables(module):
            if module.__name__ != "__main__":
                for part, item in parts_of(value, module.__name__):
                    data = None if isinstance(item, _CODE) else encoded(item)
                    if data is not None and len(data) <= LARGEST:
                        found[module.__name__, name, part] = data
    return found


def parts_of(value: Any, module: str) -> Iterator[tuple[str, Any]]:
    """What a global of a module consists of: attributes, items, or itself."""
    if isinstance(value, type) and value.__module__ != module:
        return  # that is another module's
    if isinstance(value, dict) and value and all(type(key) is str for key in value):
        yield from list(value.items())
    elif isinstance(value, type) or is_object(value):
        for name, part in list(vars(value).items()):
            if not _is_hidden(name):
                yield name, part
    else:
        yield "", value


def is_object(value: Any) -> bool:
    """Whether a value is an object of the project's, with attributes."""
    kind = sys.modules.get(type(value).__module__)
    return is_own(getattr(kind, "__file__", None)) and hasattr(value, "__dict__")


def _variables(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        if not _is_hidden(name) and not isinstance(value, ModuleType):
            yield name, value


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


class _Digest:
    """A file that keeps only a digest of what is written."""

    def __init__(self) -> None:
        self.sum = blake2b(digest_size=16)

    def write(self, data: Any) -> int:
        self.sum.update(data)
        return len(data)


def _digest(value: object) -> bytes:
    to = _Digest()
    try:
        _Deep(to, 5).dump(value)
    except Exception:  # too deep, or its own code fails: what came so far counts
        to.write(type(value).__qualname__.encode())
    return to.sum.digest()


def _made(*_: object) -> None:
    """Stands for what makes an object."""


class _Deep(pickle.Pickler):
    """Takes everything apart, down to what cannot change."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if isinstance(obj, type):
            if not is_own(getattr(sys.modules.get(obj.__module__), "__file__", None)):
                return _made, (obj.__module__, obj.__qualname__)
            inside = {name: part for name, part in vars(obj).items() if not _is_hidden(name)}
            return _made, ("class", obj.__qualname__), inside
        if obj is _made:
            return NotImplemented
        if kind is FunctionType:
            return _made, (obj.__module__, obj.__qualname__), _inside_function(obj)
        if isinstance(obj, _BY_NAME):
            return _made, (kind.__name__, getattr(obj, "__name__", ""))
        if kind is GeneratorType:
            frame = obj.gi_frame
            state = None if frame is None else (frame.f_lasti, dict(frame.f_locals))
            return _made, ("generator", obj.__qualname__), state
        if is_object(obj):
            return _made, (kind.__module__, kind.__qualname__), _inside_object(obj)
        with suppress(Exception):
            reduced = obj.__reduce_ex__(5)
            return reduced if isinstance(reduced, tuple) else (_made, (reduced,))
        return _made, (kind.__module__, kind.__qualname__), _what_is_seen(obj)


def _inside_function(function: FunctionType) -> tuple[Any, ...]:
    if not is_own(function.__code__.co_filename):
        return ()
    cells = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            cells.append(cell.cell_contents)
    return function.__defaults__, function.__kwdefaults__, vars(function), cells


def _inside_object(obj: Any) -> tuple[Any, ...]:
    """Attributes, slots, and what it holds as one of Python's own types."""
    slots = {}
    for base in type(obj).__mro__:
        named = vars(base).get("__slots__", ())
        for name in (named,) if isinstance(named, str) else named:
            with suppress(AttributeError):
                slots[name] = getattr(obj, name)
    kind: Any = next((one for one in _BASES if isinstance(obj, one)), None)
    held: Any = None
    if kind is dict:
        held = list(dict.items(obj))
    elif kind is not None:
        held = list(kind.__iter__(obj)) if hasattr(kind, "__iter__") else kind(obj)
    return dict(vars(obj)), slots, held


def _what_is_seen(obj: Any) -> Any:
    """Of what cannot be copied: its attributes, where it stands, whether it is held."""
    seen: list[Any] = [getattr(obj, "__dict__", None)]
    for name in ("tell", "locked", "qsize", "getvalue"):
        with suppress(Exception):
            seen.append(getattr(obj, name)())
    with suppress(Exception):
        seen.append(obj.get(None) if type(obj).__name__ == "ContextVar" else None)
    return seen


# ---- what belongs to the process ----------------------------------------------------------------


def world() -> dict[str, object]:
    """The library's settings, and what else belongs to the process, by what changing it means."""
    found = {}
    for what, look in _WORLD.items():
        with suppress(Exception):
            found[what] = look()
    return found


def _loaded(name: str) -> Any:
    module = sys.modules.get(name)
    if module is None:
        raise LookupError(name)
    return module


def _decimal() -> object:
    context = _loaded("decimal").getcontext()
    traps = sorted(trap.__name__ for trap, is_on in context.traps.items() if is_on)
    return context.prec, context.rounding, context.Emin, context.Emax, traps


def _logging() -> object:
    root = _loaded("logging").root
    return root.level, root.manager.disable, len(root.handlers)


_WORLD: dict[str, Callable[[], object]] = {
    "draw from the random numbers of random, which the program draws from too": (random.getstate),
    "draw from the random numbers of numpy.random, which the program draws from too": (
        lambda: encoded(_loaded("numpy.random").get_state())
    ),
    "change the environment": lambda: dict(os.environ._data),  # type: ignore[attr-defined]
    "change the working directory": os.getcwd,
    "change sys.path": lambda: list(sys.path),
    "change the settings of decimal": _decimal,
    "change the settings of logging": _logging,
    "change the settings of locale": lambda: _loaded("locale").setlocale(0),
    "change the settings of numpy": lambda: sorted(_loaded("numpy").geterr().items()),
    "change the filters of warnings": lambda: list(_loaded("warnings").filters),
    "change the recursion limit": sys.getrecursionlimit,
    "change what signals do": lambda: [signal.getsignal(one) for one in signal.valid_signals()],
    "leave a thread behind": threading.active_count,
}
