"""What a function reaches, as a list of what is to be compared, each with how it is told."""

from __future__ import annotations

import functools
import sys
from _thread import allocate_lock
from abc import ABCMeta
from contextlib import suppress
from importlib.util import find_spec, resolve_name
from io import BufferedRandom, BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
)

from cord._core import RemoteFunction
from cord.plan.modules import is_of_python
from cord.runtime.objects.classes import is_enumeration
from cord.runtime.objects.leaving import left_in_libraries
from cord.runtime.objects.loggers import handles
from cord.runtime.objects.reach import (
    MAIN,
    class_names,
    code_names,
    is_the_programs,
    names_of,
)
from cord.runtime.replica.outward import leads_outside
from cord.runtime.travel import loaded

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any

    from cord.runtime.objects.reach import Reach
    from cord.runtime.travel.paths import Names, Places

_BOUND = MethodType, BuiltinFunctionType
_CACHE = functools._lru_cache_wrapper


# What is compared as a setting, or is too much.
_SETTINGS = {("sys", "path"), ("sys", "argv"), ("sys", "modules"), ("warnings", "filters")}
# The streams of the process itself: what is written there travels.
_STREAMS = sys.__stdin__, sys.__stdout__, sys.__stderr__


def _kinds() -> Iterator[tuple[str, tuple[type, ...]]]:
    """Objects whose state is not told by what they hold: libraries' only if they are loaded."""
    yield "a generator", (GeneratorType, CoroutineType, AsyncGeneratorType)
    yield "an open file", (FileIO, BufferedReader, BufferedWriter, BufferedRandom, TextIOWrapper)
    yield "a view of memory", (memoryview,)
    for module, name, told in (
        ("socket", "socket", "a socket"),
        ("multiprocessing.connection", "Connection", "a connection"),
        ("_queue", "SimpleQueue", "a queue"),
        ("weakref", "WeakValueDictionary", "a weak container"),
        ("weakref", "WeakKeyDictionary", "a weak container"),
        ("_weakrefset", "WeakSet", "a weak container"),
        ("sqlite3", "Connection", "a database in memory"),
        ("mmap", "mmap", "shared memory"),
        ("multiprocessing.shared_memory", "SharedMemory", "shared memory"),
        ("multiprocessing.sharedctypes", "SynchronizedBase", "shared memory"),
        ("multiprocessing.queues", "Queue", "a queue"),
        ("multiprocessing.queues", "SimpleQueue", "a queue"),
        ("unittest.mock", "NonCallableMock", "a mock"),
        ("_hashlib", "HASH", "a sum that grows"),
        ("_hashlib", "HMAC", "a sum that grows"),
        ("_md5", "MD5Type", "a sum that grows"),
        ("_blake2", "blake2b", "a sum that grows"),
        ("_blake2", "blake2s", "a sum that grows"),
        ("_bz2", "BZ2Compressor", "a stream"),
        ("_bz2", "BZ2Decompressor", "a stream"),
        ("_lzma", "LZMACompressor", "a stream"),
        ("_lzma", "LZMADecompressor", "a stream"),
        ("_ctypes", "Array", "memory of C"),
        ("_ctypes", "Structure", "memory of C"),
        ("_ctypes", "Union", "memory of C"),
        ("_ctypes", "_SimpleCData", "memory of C"),
        ("_ctypes", "_Pointer", "memory of C"),
    ):
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type):
            yield told, (kind,)
    zlib = sys.modules.get("zlib")
    if zlib is not None:  # these have no names
        yield "a stream", (type(zlib.compressobj()), type(zlib.decompressobj()))


_LOCK = type(allocate_lock())


# What sets a setting that modules of libraries set, too, when they are loaded.
_SETTERS = {
    "warnings": frozenset({"filterwarnings", "simplefilter", "resetwarnings"}),
    "logging": frozenset({"setLevel", "disable"}),
}
_PUTS_BACK = "catch_warnings"


class Setters:
    """Tells whether code has set a setting, or modules that were loaded in a call."""

    def __init__(self) -> None:
        self._rows: set[str] = set()
        self._modules: set[str] = set()

    def note_modules(self) -> None:
        """These modules are there."""
        self._modules = set(sys.modules)

    def note(self, found: Reach) -> None:
        """Functions are called that reach this."""
        for names in (code_names(one.__code__) for one in found.functions):
            if _PUTS_BACK not in names:
                self._rows.update(row for row, of in _SETTERS.items() if not of.isdisjoint(names))

    def names(self, row: str) -> bool:
        """Whether code has set it: its own, or only Python's modules have come, which set none."""
        others = {one.partition(".")[0] for one in sys.modules.keys() - self._modules}
        return row in self._rows or (
            row in _SETTERS and others - {"cord"} <= sys.stdlib_module_names
        )


class Lock:
    """A lock, of which is looked at whether it is held, as at what a cache says of itself."""

    def __init__(self, lock: Any) -> None:
        self.cache_info = lock.locked


_CODE = (FunctionType, RemoteFunction, type)


class Reached:
    """What is to be compared.

    Attributes:
        modules: The project's modules that are reached, by their names.
        spaces: Their namespaces.
        values: Functions, classes and objects.
        caches: Functions that keep what they have returned, and locks, by how they are told.
        handles: Whether code changes handlers of loggers.

    Args:
        found: What is reached.
        own: The project's modules by their names.
        name: What is called.
        function: The function itself.
    """

    def __init__(
        self, found: Reach, own: dict[str, ModuleType], name: str, function: object
    ) -> None:
        self._names = {name: names for name, names in found.names.items() if name in own}
        self.modules = list(self._names)
        self.spaces = [names_of(own[name]) for name in self.modules]
        ids = {id(space) for space in self.spaces}
        functions = [one for one in found.functions if id(one.__globals__) in ids]
        for function_ in functions if sys.version_info < (3, 14) else ():
            _ = function_.__annotations__  # a dict is made of them when they are first read
        registers = any("register" in code_names(one.__code__) for one in functions)
        self._registering = _registering(found) if registers else None
        self._leaves = _left_in_libraries(functions)
        self.handles = any(handles(code_names(one.__code__)) for one in functions)
        self.values: list[object] = [*functions, *found.classes, *self._named(found)]
        self._inside: dict[int, str] = {}
        self._of_libraries: dict[tuple[str, str], object] = {}
        self._places: Places | None = None
        self._look_inside(found)
        self.caches: dict[str, Any] = {_cache(name): function} if type(function) is _CACHE else {}
        for module, space in zip(self.modules, self.spaces, strict=True):
            for one in self._names[module]:
                if type(space.get(one)) is _CACHE:
                    self.caches[_cache(shown(module, one))] = space[one]
        for number, value in enumerate(self.values):
            if type(value) is _LOCK:
                self.caches[self.label_of(number)] = Lock(value)
        for cls in found.classes:
            for one, value in class_names(cls).items():
                plain = value.__func__ if type(value) in (staticmethod, classmethod) else value
                if type(plain) is _CACHE:
                    self.caches[_cache(f"{_label(cls)}.{one}")] = plain

    def places(self) -> Places:
        """Where that is which can change, by names under which the program has it, too."""
        if self._places is None:
            from cord.runtime.travel.paths import Places  # few results have something of state

            self._places = Places(self._by_name)
        return self._places

    def _by_name(self) -> Names:
        from cord.runtime.travel.paths import Names

        found = Names(self._of_libraries)
        for module, space in zip(self.modules, self.spaces, strict=True):
            found.update({(module, one): space[one] for one in self._names[module] if one in space})
        for one in self.values:
            if isinstance(one, type | FunctionType) and "<locals>" not in one.__qualname__:
                path = one.__module__, *one.__qualname__.split(".")
                found.update({(*path, *names): held for names, held in _held_by_name(one)})
        return found

    def _named(self, found: Reach) -> list[object]:
        """The objects that names stand for; what else there is, these or functions lead to."""
        bound: set[int] = set()
        for module, space in zip(self.modules, self.spaces, strict=True):
            values = [space[name] for name in self._names[module] if name in space]
            bound.update(map(id, values))
            # it is the object of a bound method that changes, or what a function is given
            bound.update(id(one.__self__) for one in values if isinstance(one, _BOUND))
            for one in filter(lambda one: isinstance(one, functools.partial), values):
                bound.update((id(one.args), id(one.keywords)))
        return [one for one in found.objects if id(one) in bound]

    def _look_inside(self, found: Reach) -> None:
        """Add what is told by a dict of its own, or is a library's and named: it may be changed."""
        local = getattr(sys.modules.get("_thread"), "_local", ())
        for number, value in enumerate(self.values.copy()):
            if isinstance(value, local):
                self._add(vars(value), self.label_of(number))
            elif isinstance(value, type) and is_enumeration(value):
                members: dict[str, object] = value.__members__  # type: ignore[attr-defined]
                for name, member in members.items():
                    self._add(vars(member), f"{_label(value)}.{name}")
        for module, names in found.bindings.items():
            known = names_of(sys.modules[module])
            for name in sorted(names):
                value = known.get(name)
                holds = type(value) in (list, dict, set) or is_the_programs(value)
                if holds and type(value) not in _CODE and (module, name) not in _SETTINGS:
                    self._add(value, f"{module}.{name}")
                    self._of_libraries[module, name] = value

    def _add(self, value: object, label: str) -> None:
        self.values.append(value)
        self._inside[id(value)] = label

    def beyond(self) -> str | None:
        """What is reached whose state nobody can compare, as a sentence of a function goes on."""
        if self._registering is not None:
            return f"may register something with {_label(self._registering)}"
        if self._leaves is not None:
            return self._leaves
        for number, value in enumerate(self.values):
            kind = next((told for told, kinds in _kinds() if isinstance(value, kinds)), None)
            if isinstance(value, memoryview) and value.readonly:
                continue
            if loaded.adopted and leads_outside(value):
                return f"reaches {self.label_of(number)}, which the program has open"
            if kind == "a database in memory" and not _is_in_memory(value):
                continue
            if kind is not None and all(value is not one for one in _STREAMS):
                return f"reaches {self.label_of(number)}, {kind}"
        return None

    def label_of(self, number: int) -> str:
        """How one of the values is told."""
        value = self.values[number]
        if id(value) in self._inside:
            return self._inside[id(value)]
        for module, space in zip(self.modules, self.spaces, strict=True):
            for name in self._names[module]:
                if space.get(name) is value:
                    return shown(module, name)
        for function in filter(lambda one: isinstance(one, FunctionType), self.values):
            for name, part in _parts_of(function):  # type: ignore[arg-type]
                if part is value:
                    return f"{name} of {_label(function)}"
        return _label(value)


def _held_by_name(definition: Any) -> Iterator[tuple[tuple[Any, ...], object]]:
    """What a class, its members or a function's defaults hold, behind the definition's name."""
    if type(definition) is FunctionType:
        for name in ("__defaults__", "__kwdefaults__"):
            held = getattr(definition, name) or {}
            pairs = held.items() if type(held) is dict else enumerate(held)
            yield from (((name, at), value) for at, value in pairs)
        return
    yield from (((name,), value) for name, value in class_names(definition).items())
    if is_enumeration(definition):
        for name, member in definition.__members__.items():
            for one, value in vars(member).items():
                yield ("_member_map_", name, one), value


def _is_in_memory(connection: Any) -> bool:
    """Whether some of a database is in no file: other processes have one of their own."""
    try:
        cursor = sys.modules["sqlite3"].Cursor(connection)
        cursor.row_factory = None
        return any(not row[2] for row in cursor.execute("PRAGMA database_list"))
    except Exception:  # it is closed, or another thread's
        return False


def _cache(of: str) -> str:
    return f"the cache of {of}"


def _left_in_libraries(functions: list[FunctionType]) -> str | None:
    """What functions leave in libraries where nobody finds it after a call."""
    known = names_of(sys.modules["builtins"]).keys()
    if all(code_names(one.__code__) <= known for one in functions):
        return None  # they name nothing that could be there
    return left_in_libraries(functions, everything=False)


def _registering(found: Reach) -> object:
    """A class or function that is reached and keeps what is registered where nobody can look."""
    for cls in found.classes:
        if isinstance(cls, ABCMeta):
            return cls
    for function in found.functions:
        if {"registry", "dispatch"} <= vars(function).keys():  # by `functools.singledispatch`
            return function
    return None


def _parts_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The defaults of a function and what it encloses, by their names."""
    code, defaults = function.__code__, function.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(defaults) :], defaults, strict=False)
    yield from (function.__kwdefaults__ or {}).items()
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            yield name, cell.cell_contents


def _label(value: object) -> str:
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return shown(str(getattr(value, "__module__", MAIN)), name)
    return f"what a {type(value).__name__} holds"


def shown(module: str, name: str) -> str:
    """A name of a module as messages show it."""
    return name if module == MAIN else f"{module}.{name}"


def import_what_it_names(function: FunctionType) -> None:
    """Import the modules of the project that a function imports when it is called."""
    known = function.__globals__
    for name, level, names in _imports(function.__code__):
        try:
            whole = resolve_name("." * level + name, known.get("__package__")) if level else name
            _import_own(whole)
            if whole in sys.modules and hasattr(sys.modules[whole], "__path__"):
                for each in names or ():
                    _import_own(f"{whole}.{each}")
        except Exception:
            continue  # so it may be with the function, if it comes there


def _import_own(name: str) -> None:
    if name in sys.modules:
        return
    top = name.partition(".")[0]
    spec = getattr(sys.modules.get(top), "__spec__", None) or find_spec(top)
    origin = None if spec is None else spec.origin
    for folder in getattr(spec, "submodule_search_locations", None) or ():
        origin = origin or f"{folder}/__init__.py"  # a package without one
    if origin is None or not origin.endswith(".py") or is_of_python(origin):
        return
    if find_spec(name) is not None:
        __import__(name)


def _instructions(code: CodeType) -> Iterator[Any]:
    from cord.stdlib import dis  # few functions import anything

    found: Iterator[Any] = dis.get_instructions(code)
    return found


def _imports(code: CodeType) -> Iterator[tuple[str, int, tuple[str, ...] | None]]:
    """The imports in code: name, level and the names that are asked for."""
    consts: list[Any] = []
    for one in _instructions(code) if _may_import(code) else ():
        if one.opname == "IMPORT_NAME" and len(consts) >= 2:
            yield one.argval, consts[-2], consts[-1]
        if "CONST" in one.opname or one.opname == "LOAD_SMALL_INT":
            consts.append(one.argval)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _imports(const)


@functools.cache
def _op_of_imports() -> int:
    from cord.stdlib import opcode

    return int(opcode.opmap["IMPORT_NAME"])


def _may_import(code: CodeType) -> bool:
    return _op_of_imports() in code.co_code[::2]
