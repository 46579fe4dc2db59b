"""What functions may leave in libraries: told by the operations of their code, none of which runs.

What a name leads to is followed as far as modules, classes and what these hold: from globals, from
what code imports, and from variables that are bound to one of these. A function of a library
registers something if it is one of those in C that do (`registering.py`), if its name says so, or
if it binds a global of its module, or changes a container there, in code of its own.
"""

from __future__ import annotations

import functools
import sys
from abc import ABCMeta
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from cord.runtime.objects.closures import contents_of_cell
from cord.runtime.objects.loggers import handles
from cord.runtime.objects.looking import looks_at
from cord.runtime.objects.operations import BINDS_ITEM, NO_VALUE, container_of, has, operations
from cord.runtime.objects.reach import (
    MAIN,
    class_names,
    code_names,
    is_of_project,
    line_of,
    names_of,
)
from cord.runtime.objects.registering import MUTATING, is_listed, says_so
from cord.runtime.objects.texts import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

    from cord.runtime.objects.reach import Reach

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)
_CONTAINERS = (list, dict, set)
# What a process has in its own way, and goes another one.
_APART = {("sys", "path"), ("sys", "argv"), ("os", "environ"), ("os", "environb")}
_LOADS = frozenset({"LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"})
_BINDS_ATTRIBUTE = frozenset({"STORE_ATTR", "DELETE_ATTR"})
_BINDS = _BINDS_ATTRIBUTE | BINDS_ITEM


def left_in_libraries(functions: Iterable[FunctionType], *, everything: bool) -> str | None:
    """Say what functions may leave in libraries.

    Args:
        functions: The project's functions whose code may run.
        everything: Also tell of what is found after a call that has done it: attributes of modules
            and classes, and settings.

    Returns:
        What they do, as a sentence about a function goes on; None if nothing is known.
    """
    functions = list(functions)
    looked = looks_at(functions)
    if looked is not None:
        return looked
    if _uses_descriptors(functions):
        return "uses a descriptor that it has not opened"
    for function in functions:
        if everything and handles(code_names(function.__code__)):
            return "changes handlers of loggers"
        if not _is_suspect(function.__code__, function.__globals__):
            continue
        for kind, told in _Walk(function, everything).found():
            if everything or kind != "attribute":
                return told
    return None


# What takes a descriptor, by module; of it, what takes those of standard streams; what gives one.
_DESCRIPTORS: Final = {
    "os": "read readv pread preadv pwrite pwritev lseek ftruncate fsync fdatasync fdopen lockf"
    " sendfile splice copy_file_range write writev fstat close",
    "fcntl": "fcntl ioctl flock lockf",
}
_OF_STREAMS: Final = frozenset({"write", "writev", "fstat", "ioctl", "close"})
_OPENS: Final = frozenset(
    "open pipe pipe2 openpty forkpty memfd_create eventfd pidfd_open mkstemp fileno socket accept"
    " socketpair Popen dup epoll TemporaryFile NamedTemporaryFile".split()
)


def _uses_descriptors(functions: list[FunctionType]) -> bool:
    """Whether functions use descriptors, none of which opens any: those of the program."""
    names = [code_names(function.__code__) for function in functions]
    if any(not _OPENS.isdisjoint(of) for of in names):
        return False
    takes = [
        (names_of(sys.modules[module]).get(name, ()), name)
        for module, told in _DESCRIPTORS.items()
        for name in told.split()
        if module in sys.modules and any(name in of for of in names)
    ]
    return bool(takes) and any(
        loaded is one and (name not in _OF_STREAMS or {1, 2}.isdisjoint(_numbers(code)))
        for function in functions
        for loaded, code in _Walk(function, everything=True).loaded()
        for one, name in takes
    )


def _numbers(code: CodeType) -> list[int]:
    return [one for one in code.co_consts if type(one) is int]


def _is_suspect(code: CodeType, known: dict[str, Any]) -> bool:
    """Whether code is worth a look: it binds something, or names what may do that."""
    mutates = not MUTATING.isdisjoint(code.co_names)
    if has(code, _BINDS) or "register" in code.co_names:
        return True
    if mutates and not {"vars", "__dict__"}.isdisjoint(code.co_names):
        return True
    for space in _spaces(code, known):
        for name in code.co_names:
            value = space.get(name)
            if isinstance(value, _FUNCTIONS) and _is_of_library(value):
                if _registers(value, everything=True):
                    return True
            elif mutates and space is not known and isinstance(value, _CONTAINERS):
                return True
    return any(_is_suspect(one, known) for one in code.co_consts if isinstance(one, CodeType))


def _spaces(code: CodeType, known: dict[str, Any]) -> list[dict[str, Any]]:
    """The namespaces of the modules that code names, in one another, and its own."""
    spaces = [known]
    for space in spaces:  # grows meanwhile
        for name in code.co_names:
            value = space.get(name, sys.modules.get(name) if space is known else None)
            if isinstance(value, ModuleType) and all(names_of(value) is not one for one in spaces):
                spaces.append(names_of(value))
    return spaces


def sets_flags(reach: Reach) -> bool:
    """Whether functions name something of `decimal`, whose arithmetic sets flags of its context."""
    if not {"decimal", "_decimal"}.isdisjoint(reach.bindings):
        return True
    spaces = [(names_of(sys.modules[one]), names) for one, names in reach.names.items()]
    values = [space.get(name) for space, names in spaces for name in names]
    kinds = [one if isinstance(one, type) else type(one) for one in values]
    return any(class_names(kind).get("__module__") == "decimal" for kind in kinds)


def _looks_at_thread(reach: Reach) -> bool:
    """Whether functions ask which thread they run in."""
    return any("current_thread" in code_names(one.__code__) for one in reach.functions)


def _clears_cache(reach: Reach) -> bool:
    return any("cache_clear" in code_names(one.__code__) for one in reach.functions)


def _reads_state(reach: Reach) -> bool:
    """Whether functions may read how far shared random numbers are."""
    names = [code_names(one.__code__) for one in reach.functions]
    return any("random" in some and some & {"getstate", "get_state"} for some in names)


def holds_stream(reach: Reach) -> bool:
    """Whether functions hold a standard stream under a name of their own."""
    streams = (sys.stdout, sys.__stdout__, sys.stderr, sys.__stderr__)
    return any(one is stream for one in reach.objects for stream in streams if stream is not None)


def replaces_streams(text: bytes) -> bool:
    """Whether a text of the program may put something in the place of a standard stream."""
    words = text.replace(b" ", b"")
    return any(one in words for one in (b"redirect_std", b"stdout=", b"stderr="))


# What texts have in them that call from threads.
_STARTING: Final = frozenset(
    b"Thread ThreadPoolExecutor ThreadPool Timer to_thread run_in_executor start_new_thread".split()
)
# What texts have in them that look at these flags.
LOOK_AT_FLAGS: Final = (b"flags", b"getcontext")
# What functions do that counts if a text of the project has something in it, or in any case (None);
# and how it is told.
BY_TEXTS: Final = (
    (
        lambda reach: "decimal" in sys.modules and sets_flags(reach),
        lambda text: all(word in text for word in LOOK_AT_FLAGS),
        "may set flags of decimals, at which the program looks",
    ),
    (
        _looks_at_thread,
        lambda text: not _STARTING.isdisjoint(words_of([text])),
        "looks at its thread, and the program may have several",
    ),
    (holds_stream, replaces_streams, "holds a stream in whose place the program puts others"),
    (_clears_cache, None, "clears a cache"),
    (_reads_state, None, "reads the state of shared random numbers"),
)


class _Top:
    """What lies on top of the stack, as far as it is known: how it is told, and whose it is."""

    __slots__ = ("is_theirs", "label", "value")

    def __init__(self, value: Any, label: str, is_theirs: bool) -> None:
        self.value = value
        self.label = label
        self.is_theirs = is_theirs


_UNKNOWN = _Top(NO_VALUE, "", False)


class _Walk:
    """A walk through a function's code."""

    def __init__(self, function: FunctionType, everything: bool) -> None:
        self._everything = everything
        self._globals = function.__globals__
        self._bound: dict[str, _Top] = {}
        self._code = function.__code__
        for name, cell in zip(self._code.co_freevars, function.__closure__ or (), strict=False):
            for value in contents_of_cell(cell):
                self._bound[name] = _Top(value, name, _is_of_library(value))

    def found(self) -> Iterator[tuple[str, str]]:
        """What is found: of what kind, and in words."""
        yield from self._of(self._code)

    def loaded(self) -> Iterator[tuple[Any, CodeType]]:
        """What each operation loads, as far as it is known, and in which code."""
        codes = [self._code]
        for code in codes:  # grows meanwhile
            codes += [one for one in code.co_consts if isinstance(one, CodeType)]
            top = _UNKNOWN
            for what, name, _ in operations(code):
                top = self._next(top, what, name)
                yield top.value, code

    def _of(self, code: CodeType) -> Iterator[tuple[str, str]]:
        done = operations(code)
        top, at, container, names_of_what = _UNKNOWN, -1, "", False
        for place, (what, name, _) in enumerate(done):
            if what in _BINDS_ATTRIBUTE:
                yield from _attribute(top, name)
            elif what in BINDS_ITEM and at >= 0 and container_of(done, place) == at:
                yield "container", f"changes {container}"
            before, top = top, self._next(top, what, name)
            if names_of_what and before.is_theirs and what.startswith("CALL"):
                at, container = place, f"names of {before.label}"
            names_of_what = (names_of_what and isinstance(top.value, ModuleType)) or (
                (what, name) == ("LOAD_GLOBAL", "vars")
            )
            if name in MUTATING and what in _LOADS and place - at == 1 and at >= 0:
                yield "container", f"changes {container}"
            if before.is_theirs and what in _LOADS and isinstance(top.value, _CONTAINERS):
                is_apart = (_home_of(before), name) in _APART
                at, container = (-1, "") if is_apart else (place, top.label)
            yield from self._registering(before, top, name)
        for const in code.co_consts:
            if isinstance(const, CodeType):
                yield from self._of(const)

    def _next(self, top: _Top, what: str, name: str) -> _Top:
        """What lies on top after an operation, as far as it is known."""
        if what == "LOAD_GLOBAL":
            known = self._globals if name in self._globals else _builtins()
            value = known.get(name, NO_VALUE)
            return _UNKNOWN if value is NO_VALUE else _Top(value, name, _is_of_library(value))
        if what in ("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME"):
            return self._bound.get(name, _UNKNOWN)
        if what == "IMPORT_NAME":
            module = sys.modules.get(name, NO_VALUE)
            return _Top(module, name, _is_of_library(module))
        if what in _LOADS and top is not _UNKNOWN:
            value = _held_by(top.value, name)
            is_theirs = _is_of_library(value) or (top.is_theirs and not _is_of_code(value))
            return _UNKNOWN if value is NO_VALUE else _Top(value, f"{top.label}.{name}", is_theirs)
        if what.startswith("STORE_"):
            self._bound.pop(name, None)
            if top is not _UNKNOWN:
                self._bound[name] = top
        return _UNKNOWN

    def _registering(self, owner: _Top, top: _Top, name: str) -> Iterator[tuple[str, str]]:
        """What a function of a library's that code loads is likely to be for."""
        value = top.value
        if not (isinstance(value, _FUNCTIONS) and top.is_theirs):
            return
        if name == "register" and isinstance(owner.value, (ABCMeta, FunctionType)):
            yield "registering", f"may register something with {owner.label}"
        elif _registers(value, everything=self._everything):
            yield "registering", f"calls {top.label}"


def _attribute(top: _Top, name: str) -> Iterator[tuple[str, str]]:
    if top.is_theirs or name == "__bases__":
        kind = "attribute" if isinstance(top.value, (ModuleType, type)) else "value"
        yield kind, f"changes {top.label}.{name}"


def _registers(function: Any, *, everything: bool) -> bool:
    """Whether a library's function leaves something there."""
    if is_listed(function, everything) or says_so(function):
        return True
    return type(function) is FunctionType and _changes_its_module(function)


def registers(function: Any) -> bool:
    """Whether a library's function leaves something there that no setting is about."""
    return _registers(function, everything=False)


@functools.cache
def _changes_its_module(function: FunctionType) -> bool:
    """Whether a library's function binds a global that it has not read, or changes what one holds.

    That is a container or, where an attribute is bound that it has not read, any object.
    """
    known, done, read, at = function.__globals__, operations(function.__code__), set[str](), -1
    for place, (what, name, _) in enumerate(done):
        if what == "STORE_GLOBAL" and name not in read:
            return True
        if what in BINDS_ITEM and at >= 0 and container_of(done, place) == at:
            return True
        if what in _LOADS and name in MUTATING and place - at == 1 and at >= 0:
            return True
        owner = done[place - 1] if place else done[place]
        if what == "STORE_ATTR" and owner[0] == "LOAD_GLOBAL" and name not in read:
            return True
        if what in _LOADS or what == "LOAD_GLOBAL":
            read.add(name)
        is_container = what == "LOAD_GLOBAL" and isinstance(known.get(name), _CONTAINERS)
        if is_container and "cache" not in name.lower():
            at = place
    return False


def _held_by(value: Any, name: str) -> Any:
    """What a module, a class or an object has under a name, where that takes no code to tell."""
    if isinstance(value, ModuleType):
        return names_of(value) if name == "__dict__" else names_of(value).get(name, NO_VALUE)
    if isinstance(value, ABCMeta) and name == "register":
        return ABCMeta.register.__get__(value)
    if type(value) is FunctionType and name in vars(value):
        return vars(value)[name]
    for cls in line_of(value if isinstance(value, type) else type(value)):
        if name in class_names(cls):
            found = class_names(cls)[name]
            return found.__func__ if type(found) in (staticmethod, classmethod) else found
    return NO_VALUE


def _builtins() -> dict[str, Any]:
    return names_of(sys.modules["builtins"])


def _is_of_code(value: object) -> bool:
    return isinstance(value, (ModuleType, type, *_FUNCTIONS))


def _is_of_library(value: Any) -> bool:
    """Whether a module, class or function is neither the project's nor the interpreter's own."""
    if isinstance(value, ModuleType):
        return sys.modules.get(value.__name__) is value and not is_of_project(value)
    if isinstance(value, type):
        home = class_names(value).get("__module__")
        return isinstance(home, str) and _is_library(home)
    return isinstance(value, _FUNCTIONS) and _is_library(value.__module__ or "")


def _is_library(name: str) -> bool:
    module = sys.modules.get(name)
    return module is not None and name != MAIN and not is_of_project(module)


def _home_of(top: _Top) -> str:
    return top.value.__name__ if isinstance(top.value, ModuleType) else ""
