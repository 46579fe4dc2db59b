"""Libraries of which the program's own text changes what no setting is about, and does not travel.

`calendar.setfirstweekday`, `xml.etree.ElementTree.register_namespace`, `tempfile.tempdir = ...`: a
replica has the library as its import has left it. So the program makes calls of functions that
name such a library; but plain values that it binds in modules (`openai.api_key = key`) travel
with them, if the module's own functions do not bind that name, too. Texts tell, as in `exposed.py`:
what they name is followed from the names of the project's modules through the modules, classes and
functions of libraries.
"""

from __future__ import annotations

import functools
import sys
from abc import ABCMeta
from itertools import pairwise
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from cord.runtime.client import foreign
from cord.runtime.objects.leaving import registers
from cord.runtime.objects.operations import has, operations
from cord.runtime.objects.reach import (
    MAIN,
    class_names,
    is_of_project,
    modules_of_project,
    names_of,
)
from cord.runtime.objects.registering import MUTATING
from cord.runtime.objects.texts import texts_of_program, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

    from cord.runtime.objects.reach import Reach

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)
# What there is changed travels in another way, or no function sees it.
_TRAVELS: Final = frozenset(
    "atexit builtins codecs cord csv decimal faulthandler gc locale mpmath numpy os pandas posix"
    " random signal site socket sys thread threading time tracemalloc unittest warnings".split()
)
_TOLD: Final = frozenset({("logging", "basicConfig"), ("logging", "captureWarnings")})
# Of these libraries, what does not travel.
_STAYS: Final = frozenset({("numpy", "seterrcall")})
# What imports go by, by what it is called where the program's text changes it.
_IMPORTS: Final = "sys.modules"
_OF_IMPORTS: Final = frozenset({"modules", "meta_path", "path_hooks"})
# Abstract classes of the project's, with which the program's text registers others.
_ABSTRACT: Final = "abstract classes"
_OF_CLASS: Final = "a class"  # no module has this name
# A path to what is bound or changed there: `path.name =`, `setattr(path, "name"`, `path[...] =`,
# `del path[`, `patch.dict(path`, `path.append(`, `path.register(`; the first with that name.
_PATH: Final = r"\b([A-Za-z_][\w.]*)"
_BINDS: Final = rf"{_PATH}\.([A-Za-z_]\w*)[ \t]*=(?!=)".encode()
_CHANGES: Final = "|".join(
    (
        rf"(?:setattr|patch\.object)\(\s*{_PATH}\s*,",
        rf"{_PATH}\[[^\]\n]*\][ \t]*[-+|]?=(?!=)",
        rf"\bdel[ \t]+{_PATH}\[",
        rf"(?:patch\.dict|setitem|delitem)\(\s*[\"']?{_PATH}",
        rf"{_PATH}\.(?:{'|'.join(sorted(MUTATING))}|register)\(",
        rf"@{_PATH}\.register\b",
    )
).encode()
# By the modules of remote functions: those whose texts do not count; the words of the others, and
# the paths of what these change.
_apart: dict[str, tuple[str, ...]] = {}
_told: dict[str, tuple[set[str], list[list[str]], list[tuple[list[str], str]]]] = {}
_found: dict[tuple[str, int], tuple[frozenset[str], frozenset[tuple[str, str]]]] = {}
# What travels if it is bound in a module: nobody else can hold it, and change it.
_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})


def libraries(module: str, reach: Reach) -> set[str]:
    """The libraries that functions name and of which the program changes something.

    Args:
        module: The remote module.
        reach: What the functions reach. What travels of what the program binds there is added.
    """
    named = {one for one in _libraries_of(reach) if _may_be_changed(one)}
    looks = "modules" in reach.bindings.get("sys", ())
    if looks or any(_imports(one.__code__) for one in reach.functions):
        named.add(_IMPORTS)
    if any(issubclass(type(one), ABCMeta) for one in reach.classes):
        named.add(_ABSTRACT)
    if not named:
        return named
    changed, bound = _changed_by_program(module)
    stays = named & changed
    for home, name in bound:
        if _library(home) in named and not _travels(home, name, reach):
            stays.add(_library(home))
    return stays


def _travels(home: str, name: str, reach: Reach) -> bool:
    """Whether what is bound in a library travels; then functions read it from now on."""
    module = sys.modules.get(home)
    names = names_of(module) if type(module) is ModuleType else {}
    if name not in names or type(names[name]) not in _PLAIN:
        return False
    if _is_kept_by(home, name, names.get("__loader__")):
        return False
    if _is_bound_beside(home, name, len(sys.modules)):
        return False
    reach.bindings.setdefault(home, set()).add(name)
    foreign.tell(home, name)
    return True


def forget() -> None:
    """The program has ended."""
    _found.clear()
    _told.clear()
    _apart.clear()
    _is_kept_by.cache_clear()
    _is_bound_beside.cache_clear()


def _libraries_of(reach: Reach) -> set[str]:
    homes = {class_names(cls).get("__module__") for cls in reach.attributes}
    homes |= {getattr(one, "__module__", None) for one in reach.functions}
    kinds = reach.kinds.union(map(type, reach.objects))
    homes |= {class_names(kind).get("__module__") for kind in kinds}
    names = {_top(one) for one in (*reach.bindings, *homes) if type(one) is str}
    names -= {"builtins", _top(MAIN)}
    return {one for one in names if not is_of_project(sys.modules.get(one))}


def _may_be_changed(library: str) -> bool:
    """Whether there is something in a library that does not travel; else no text need be read."""
    if library not in _TRAVELS or any(library == home for home, _ in _STAYS):
        return True
    names = names_of(sys.modules[library]) if library in sys.modules else {}
    return "__path__" in names or any(type(one) is ABCMeta for one in names.values())


def _imports(code: CodeType) -> bool:
    """Whether code imports something when it runs."""
    if has(code, _IMPORTING) or not _IMPORTERS.isdisjoint(code.co_names):
        return True
    return any(_imports(one) for one in code.co_consts if isinstance(one, CodeType))


_IMPORTING: Final = frozenset({"IMPORT_NAME"})
_IMPORTERS: Final = frozenset({"import_module", "__import__"})


def _top(name: str) -> str:
    return name.partition(".")[0].lstrip("_")


def _library(home: str) -> str:
    return home if home in (_IMPORTS, _ABSTRACT) else _top(home)


def note(module: str, homes: Iterable[str] = ()) -> None:
    """A remote module is there: read the program's texts, before the program changes anything.

    Args:
        module: The module.
        homes: Those in which functions are defined that it offers.
    """
    for apart in ((module,), *((module, home) for home in homes)):
        _apart.setdefault(apart[-1], apart)
        texts_of_program(*apart)


@functools.cache
def _is_kept_by(home: str, name: str, loader: Any) -> bool:
    """Whether a module's own functions bind a name there, as they run; or that cannot be told."""
    try:
        code = loader.get_code(home)
    except Exception:
        return True
    return code is None or _keeps(code, name)


def _keeps(code: CodeType, name: str) -> bool:
    if name in code.co_names and any(one[:2] == ("STORE_GLOBAL", name) for one in operations(code)):
        return True
    return any(_keeps(one, name) for one in code.co_consts if isinstance(one, CodeType))


@functools.cache
def _is_bound_beside(home: str, name: str, _modules: int) -> bool:
    """Whether functions in modules of the same library bind a name of a module from outside it.

    Args:
        home: The module.
        name: The name.
        _modules: How many modules there are: another one may do so.
    """
    module = sys.modules[home]
    for other in [one for key, one in sys.modules.items() if _top(key) == _top(home)]:
        known = names_of(other) if type(other) is ModuleType else {}
        aliases = {alias for alias, value in known.items() if value is module}
        if aliases and any(_binds(code, aliases, name) for code in _codes_in(known)):
            return True
    return False


def _codes_in(known: dict[str, Any]) -> Iterator[CodeType]:
    """The code of functions and methods under these names."""
    for value in list(known.values()):
        held = [value, *(class_names(value).values() if issubclass(type(value), type) else ())]
        for one in held:
            function = getattr(one, "__func__", one) if issubclass(type(one), _WRAPPED) else one
            if type(function) is FunctionType:
                yield function.__code__


_WRAPPED: Final = (staticmethod, classmethod)


def _binds(code: CodeType, aliases: set[str], name: str) -> bool:
    if name in code.co_names and not aliases.isdisjoint(code.co_names):
        done = [one[:2] for one in operations(code)]
        for before, one in pairwise(done):
            if one == ("STORE_ATTR", name) and before[0] == "LOAD_GLOBAL" and before[1] in aliases:
                return True
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return any(_binds(one, aliases, name) for one in inner)


def _told_by_texts(module: str) -> tuple[set[str], list[list[str]], list[tuple[list[str], str]]]:
    if module not in _told:
        import re  # few programs come so far

        texts = (texts_of_program(*_apart[module]) if module in _apart else None) or []
        paths = [b"".join(one) for text in texts for one in re.findall(_CHANGES, text)]
        words = {word.decode() for word in words_of(texts)}
        binds = {one for text in texts for one in re.findall(_BINDS, text)}
        _told[module] = (
            words,
            [path.decode().split(".") for path in dict.fromkeys(paths)],
            [(path.decode().split("."), name.decode()) for path, name in binds],
        )
    return _told[module]


def _changed_by_program(module: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The libraries that are changed; and by which names something is bound in parts of some."""
    key = module, len(sys.modules)
    if key not in _found:
        words, paths, binds = _told_by_texts(module)
        spaces = [names_of(sys.modules[one]) for one in _own() if one == MAIN or one != module]
        changed = frozenset((*_registered(words, spaces), *map(_library, _bound(paths, spaces))))
        bound = ((home, name) for path, name in binds for home in _bound([path], spaces))
        _found[key] = changed, frozenset(bound)
    return _found[key]


def _own() -> list[str]:
    return [MAIN, *(name for name in modules_of_project() if name != MAIN)]


def _registered(words: set[str], spaces: list[dict[str, Any]]) -> Iterator[str]:
    """What is changed by functions of libraries that leave something there."""
    waiting, seen = spaces.copy(), set[int]()
    for space in waiting:  # grows meanwhile
        for name in words & space.keys():
            value = space[name]
            kind = type(value)  # unlike isinstance, this asks nothing of the value
            if issubclass(kind, _FUNCTIONS) and _leaves(value):
                yield _top(value.__module__)
            elif issubclass(kind, ModuleType) and id(value) not in seen:
                seen.add(id(value))
                if not is_of_project(value):
                    waiting.append(names_of(value))
            elif kind is ABCMeta and "register" in words and not _is_own(value):
                yield _top(value.__module__)


def _leaves(function: Any) -> bool:
    home, name = getattr(function, "__module__", None), getattr(function, "__name__", "")
    if (home, name) in _STAYS:
        return True
    if not isinstance(home, str) or _top(home) in _TRAVELS or is_of_project(sys.modules.get(home)):
        return False
    return (home, name) not in _TOLD and home != "logging.config" and registers(function)


def _bound(paths: list[list[str]], spaces: list[dict[str, Any]]) -> Iterator[str]:
    """What paths lead to: modules, classes, or containers that these have."""
    for first, *others in paths:
        for space in spaces:
            if first in space:
                home = _home_of(space[first], others)
                if _is_abstract(space[first], others):
                    yield _ABSTRACT
                if home == "sys" and not _OF_IMPORTS.isdisjoint(others):
                    yield _IMPORTS
                if home is not None and _top(home) not in _TRAVELS:
                    yield home


def _home_of(value: Any, names: list[str]) -> str | None:
    """The module that the end of a path belongs to, or a part of it for one of its classes."""
    owner = None
    for name in [*names, None]:
        if issubclass(type(value), (ModuleType, type)):
            owner = value
        if name is not None:
            value = _names_in(value).get(name)
    is_there = value is owner or issubclass(type(value), (list, dict, set))
    if not is_there or owner is None or _is_own(owner):
        return None
    if issubclass(type(owner), ModuleType):
        return str(names_of(owner).get("__name__"))
    return f"{class_names(owner).get('__module__')}.{_OF_CLASS}"


def _is_abstract(value: Any, names: list[str]) -> bool:
    """Whether a path ends at an abstract class of the project's."""
    for name in names:
        value = _names_in(value).get(name)
    return issubclass(type(value), ABCMeta) and _is_own(value)


def _names_in(owner: Any) -> Any:
    if issubclass(type(owner), ModuleType):
        return names_of(owner)
    return class_names(owner) if issubclass(type(owner), type) else {}


def _is_own(value: Any) -> bool:
    if issubclass(type(value), ModuleType):
        return is_of_project(value)
    return is_of_project(sys.modules.get(class_names(value).get("__module__")))
