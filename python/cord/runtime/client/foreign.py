"""What the program has bound in modules and classes that are not its project's.

A test that replaces `requests.get`, or a program that replaces `time.sleep`, binds a name of a
library. Only the binding is looked at. What an import of the library has left is noted when a
module of the project that has the library under a name is imported; before that, a value is the
program's if it is made by the project or by `unittest.mock`. An import of a module in a package
(`import urllib.request`) binds a name, too: replicas import it, if an import of the package alone
does not bring it.
"""

from __future__ import annotations

import builtins
import functools
import sys
from types import FunctionType, MethodType, ModuleType

from cord.runtime.objects.reach import (
    class_names,
    code_names,
    is_of_project,
    is_the_programs,
    line_of,
    names_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.runtime.client.parts import Key
    from cord.runtime.objects.reach import Reach

_MISSING = object()
_CODE = (FunctionType, MethodType, type, staticmethod, classmethod)
# A library does not come to hold these under a name that its module has not had.
_PLAIN = (int, float, str, bytes, bool, type(None), tuple, list, dict, set)
# What a setting that travels by itself binds in its module.
_OF_SETTINGS = {"time": ("timezone", "altzone", "daylight")}
_seen: dict[str, dict[str, Any]] = {}
_first: dict[str, frozenset[str]] = {}  # the names that there were
_names: dict[str, set[str]] = {}
_attributes: dict[type, set[str]] = {}
_told: set[tuple[str, str]] = set()  # what the program's text binds, by module and name


def note(module: ModuleType) -> None:
    """A module of the project is imported: note what libraries are as it has them."""
    for value in list(names_of(module).values()):
        if issubclass(type(value), ModuleType) and not is_of_project(value):
            _note_library(value)


def _note_library(module: ModuleType) -> None:
    known = names_of(module)
    name = known.get("__name__")
    if isinstance(name, str) and name not in _seen and sys.modules.get(name) is module:
        spared = _OF_SETTINGS.get(name, ())
        kept = {one: held for one, held in known.items() if _is_code(held) and one not in spared}
        _seen[name] = kept
        _first[name] = frozenset(known)


def _is_code(value: object) -> bool:
    return callable(value) or issubclass(type(value), (int, float, str, bool))


def widen(reach: Reach) -> None:
    """These are read by functions that are called."""
    for name, names in reach.bindings.items():
        _names.setdefault(name, set()).update(names)
    for cls, names in reach.attributes.items():
        _attributes.setdefault(cls, set()).update(names)


def tell(module: str, name: str) -> None:
    """The program's text binds this, maybe before a library was noted: it always travels."""
    _told.add((module, name))


def meet(cls: type) -> bool:
    """Functions are given instances of a class: what the program has put into it, they may read.

    Returns:
        Whether there is something.
    """
    found = False
    for one in line_of(cls):
        if is_of_project(sys.modules.get(class_names(one).get("__module__", ""))):
            continue
        put = {name for name, held in [*class_names(one).items()] if _is_put(held)}
        if put:
            found = True
            _attributes.setdefault(one, set()).update(put)
    return found


def _is_put(held: object) -> bool:
    """Whether an attribute of a class is the program's, or a library's object that holds such."""
    if is_the_programs(held):
        return True
    if issubclass(type(held), _CODE):
        return False
    try:
        names = object.__getattribute__(held, "__dict__")  # no code of the object's runs
    except AttributeError:
        return False
    return type(names) is dict and any(map(is_the_programs, [*names.values()]))


def differences() -> list[tuple[Key, tuple[str, Any]]]:
    """What the program has bound, by its place: how, and what."""
    found: list[tuple[Key, tuple[str, Any]]] = []
    for name, names in _names.items():
        module = sys.modules.get(name)
        if module is None:
            continue
        known, before = names_of(module), _seen.get(name, {})
        for one in sorted(names):
            held = known.get(one, _MISSING)
            is_new = one not in _first.get(name, (one,))
            is_told = (name, one) in _told and held is not _MISSING
            is_new = is_new and (name == "builtins" or issubclass(type(held), _PLAIN))
            then = _MISSING if is_new or is_told else before.get(one, held)
            programs = is_the_programs(held) or _is_imported_apart(module, one, held)
            if programs or (held is not then and held is not _MISSING):
                found.append((((name,), one), ("bind", held)))
            elif held is not then:
                found.append((((name,), one), ("unbind", None)))
    for cls, names in _attributes.items():
        for one in sorted(names):
            held = class_names(cls).get(one)
            if _is_put(held):
                path = (cls.__module__, *cls.__qualname__.split("."))
                found.append(((path, one), ("bind", held)))
    return found


def _is_imported_apart(package: ModuleType, name: str, held: object) -> bool:
    """Whether this is a module in a package that an import of the package does not bring."""
    known = names_of(package)
    if not issubclass(type(held), ModuleType) or "__path__" not in known:
        return False
    if sys.modules.get(f"{known['__name__']}.{name}") is not held:
        return False
    return name not in _own_words(known["__name__"], known.get("__loader__"))


@functools.cache
def _own_words(package: str, loader: Any) -> frozenset[str]:
    """The names in a package's own code: of a module that it names, its import is trusted."""
    try:
        return code_names(loader.get_code(package))
    except Exception:
        return frozenset()


def forget() -> None:
    """The program has ended."""
    for known in (_seen, _first, _names, _attributes, _told):
        known.clear()
    _note_library(builtins)


_note_library(builtins)  # before the program may add names
