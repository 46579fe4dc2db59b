"""Digests of values, the same in each run: of what they hold, and of the code in them.

No code of the program's runs in this. What cannot be told by what it holds is no part of a key:
`Unpinned`.
"""

from __future__ import annotations

import abc
import copyreg
import enum
import functools
import hashlib
import io
import os
import struct
import sys
import threading
import types
import weakref
from collections import deque

from cord._core import RemoteFunction, original_of
from cord.runtime.keep import asks, versions
from cord.runtime.objects.closures import Closure, as_function, contents_of_cell
from cord.runtime.objects.loggers import is_logger_class
from cord.runtime.objects.reach import (
    _field,
    _is_own_class,
    _is_written_in_python,
    class_names,
    code_names,
    is_of_project,
    line_of,
    names_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType, FunctionType
    from typing import Any


class Unpinned(Exception):
    """Something cannot be told by what it holds."""


# What classes have besides what the program has written into them.
_NOT_OF_CLASSES = frozenset(
    "__dict__ __weakref__ __module__ __firstlineno__ __static_attributes__"
    " __slotnames__"  # noted where an object of the class is pickled
    " __annotate_func__ __annotations_cache__ __pydantic_validator__ __pydantic_serializer__"
    " __pydantic_core_schema__ __pydantic_decorators__ __pydantic_parent_namespace__".split()
)
# Modules of Python's whose objects tell by reduction what they hold.
_REDUCED = frozenset(
    "_datetime datetime decimal _decimal _pydecimal fractions uuid ipaddress pathlib pathlib._local"
    " zoneinfo array random _random re numpy operator _operator itertools collections string"
    " pathlib._abc".split()
)
# Of these nothing is a value but what they are for.
_BY_KIND = frozenset(
    {
        "_thread.lock", "_thread.RLock", "threading.Lock", "threading.RLock",
        "_contextvars.Token", "ssl.SSLContext", "_ssl._SSLContext", "typing.TypeVar",
        "typing.ParamSpec", "_queue.SimpleQueue",
        "os._Environ",  # what is read of it is seen
    }
)  # fmt: skip
_BY_NAME: tuple[Any, ...] = (
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
_WITH_PARTS = {
    classmethod: ("__func__", "__dict__"),
    staticmethod: ("__func__", "__dict__"),
    property: ("fget", "fset", "fdel"),
    functools.partial: ("func", "args", "keywords", "__dict__"),
    functools.partialmethod: ("func", "args", "keywords"),
    functools.cached_property: ("func",),
    functools._lru_cache_wrapper: ("__wrapped__",),
    types.MethodType: ("__func__", "__self__"),
    types.SimpleNamespace: ("__dict__",),
    types.GenericAlias: ("__origin__", "__args__"),
    types.UnionType: ("__args__",),
    struct.Struct: ("format",),
}


class Canon:
    """Digests of values.

    Attributes:
        tops: The libraries that something is of, by their first names.
        met: Functions and classes of the project that were come to.
        modules: Modules of the project that values hold, by their names.

    Args:
        assumed: What the user vouches for.
    """

    def __init__(self, assumed: Iterable[str] = ()) -> None:
        self.assumed = assumed
        self.modules: list[str] = []
        self.tops: set[str] = set()
        self.met: list[Any] = []
        self.lines = hashlib.blake2b(digest_size=8)
        self._known: dict[int, bytes] = {}
        self._alive: list[Any] = []
        self._open: set[int] = set()

    @property
    def is_inside(self) -> bool:
        """Whether this is at what a definition of the project holds."""
        return bool(self._open)

    def of(self, value: Any) -> bytes:
        """The digest of a value."""
        return _Feed(self).digest(value)

    def of_definition(self, value: Any, feed: Callable[[_Feed], None]) -> bytes:
        """The digest of a function or class, found once; inside itself it goes by its name."""
        number = id(value)
        if (found := self._known.get(number)) is not None:
            return found
        if number in self._open:
            return repr(_name_of(value)).encode()
        self._open.add(number)
        self.met.append(value)
        own = _Feed(self)
        feed(own)
        self._open.discard(number)
        self._alive.append(value)
        found = self._known[number] = own.end()
        return found


class _Feed:
    def __init__(self, canon: Canon) -> None:
        self._canon = canon
        self._hash = hashlib.blake2b(digest_size=16)
        self._seen: dict[int, int] = {}
        self._alive: list[Any] = []
        self._deep = 0

    def digest(self, value: Any) -> bytes:
        self.feed(value)
        return self.end()

    def end(self) -> bytes:
        return self._hash.digest()

    def token(self, kind: str, *parts: bytes | str | int) -> None:
        for part in (kind, *parts):
            data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            self._hash.update(len(data).to_bytes(8, "little"))
            self._hash.update(data)

    def all(self, kind: str, values: Iterable[Any]) -> None:
        values = list(values)
        self.token(kind, len(values))
        for value in values:
            self.feed(value)

    def apart(self, kind: str, values: Iterable[Any]) -> None:
        """What a set holds: in its order, unless that is another one in each run."""
        values = list(values)
        if _FIXED_HASHES or all(type(value) in _NUMBERS for value in values):
            self.all(kind, values)
            return
        digests = sorted(_Feed(self._canon).digest(value) for value in values)
        self.token(kind, len(digests), *digests)

    def feed(self, value: Any) -> None:
        kind = type(value)
        scalar = _SCALARS.get(kind)
        if scalar is not None:
            self.token(kind.__name__, scalar(value))
            return
        if id(value) in self._seen:
            self.token("again", self._seen[id(value)])
            return
        if kind is not tuple and kind is not frozenset and not issubclass(kind, types.CodeType):
            self._seen[id(value)] = len(self._seen)
        self._alive.append(value)
        self._deep += 1
        if self._deep > _DEEPEST:
            raise Unpinned("something that is nested too deeply")
        self._composed(value, kind)
        self._deep -= 1

    def _composed(self, value: Any, kind: type) -> None:
        if kind in (tuple, list, deque):
            self.all(kind.__name__, value)
            if kind is deque:
                self.token("most", repr(value.maxlen))
        elif kind is dict or kind is types.MappingProxyType:
            self.all("dict", (part for pair in value.items() for part in pair))
        elif kind in (set, frozenset):
            self.apart(kind.__name__, value)
        elif kind is bytearray or kind is memoryview:
            self.token(kind.__name__, bytes(value))
        elif kind is slice or kind is range:
            self.all(kind.__name__, (value.start, value.stop, value.step))
        elif kind is types.FunctionType:
            self.token(
                "function", self._canon.of_definition(value, lambda own: own._function(value))
            )
        elif kind is RemoteFunction:
            self.feed(original_of(value))
        elif kind is Closure:
            self.feed(_made_of(value))
        elif issubclass(kind, type):
            self._class(value)
        elif kind is types.CodeType:
            self.token("code", code_print(value))
        elif kind is types.CellType:
            self.all("cell", contents_of_cell(value))
        elif issubclass(kind, types.ModuleType):
            self._module(value)
        elif kind is types.BuiltinFunctionType:
            self._builtin(value)
        elif kind in _BY_NAME:
            self.token("named", kind.__name__, value.__qualname__)
            self.feed(getattr(value, "__objclass__", None))
        else:
            self._instance(value, kind)

    def _function(self, function: FunctionType) -> None:
        known = function.__globals__.get("__name__", "")
        self.token("of", str(known), function.__qualname__)
        module = sys.modules.get(known) if type(known) is str else None
        if module is not None and is_of_project(module):
            self.token("code", code_print(function.__code__))
            self._canon.lines.update(lines_print(function.__code__))
            self.feed(function.__annotations__)
        elif module is None:
            self.token("code", code_print(function.__code__))
        else:
            self._canon.tops.add(str(known).partition(".")[0])
            self.token("there", function.__code__.co_name)
            if asked := asks.asked_by(function, self._canon.assumed):
                raise Unpinned(asked)
        if module is None or names_of(module) is not function.__globals__:
            self._made(function, is_own=module is None or is_of_project(module))
        self.feed(function.__defaults__)
        self.feed(function.__kwdefaults__)
        self.feed(object.__getattribute__(function, "__dict__"))
        self.all("closure", function.__closure__ or ())

    def _made(self, function: FunctionType, *, is_own: bool) -> None:
        """What a function reads that was made in a namespace of its own."""
        known = function.__globals__
        for name in sorted(code_names(function.__code__) & known.keys()) if is_own else ():
            self.token("global", name)
            self.feed(known[name])

    def _class(self, cls: type) -> None:
        if not _is_own_class(cls):
            name = class_names(cls).get("__module__")
            self._library(name if type(name) is str else "builtins")
            self.token("class", str(name), type.__dict__["__qualname__"].__get__(cls))
            return
        self.token("class", self._canon.of_definition(cls, lambda own: own._own_class(cls)))

    def _own_class(self, cls: type) -> None:
        self.token("of", *map(str, _name_of(cls)))
        self.feed(type(cls))
        for above in line_of(cls)[1:]:
            self.feed(above)
        for name, value in sorted(class_names(cls).items()):
            if name in _NOT_OF_CLASSES:
                continue
            self.token("attribute", name)
            if name == "_abc_impl":
                refs = abc._get_dump(cls)[0]  # type: ignore[attr-defined]
                names = sorted(_name_of(one) for ref in refs if (one := ref()) is not None)
                self.token("registered", repr(names))
                continue
            try:
                self.feed(value)
            except Unpinned as exc:
                raise Unpinned(inside(f"{cls.__qualname__}.{name}", exc)) from None

    def _module(self, module: types.ModuleType) -> None:
        name = names_of(module).get("__name__")
        self.token("module", str(name))
        if not is_of_project(module):
            self._library(str(name))
        elif not self._canon.is_inside:
            self._canon.modules.append(str(name))

    def _library(self, name: str) -> None:
        self._canon.tops.add(name.partition(".")[0])

    def _builtin(self, value: Any) -> None:
        own = value.__self__
        self.token("builtin", value.__qualname__, str(value.__module__))
        if asked := asks.asked_by(value, self._canon.assumed):
            raise Unpinned(asked)
        if isinstance(own, types.ModuleType) or own is None:
            self._library(str(value.__module__ or "builtins"))
        else:
            self.feed(own)

    def _instance(self, value: Any, kind: type) -> None:
        name = f"{_module_of(kind)}.{kind.__qualname__}"
        self.feed(kind)
        if name in _BY_KIND or is_logger_class(kind):
            self.token("kind", getattr(value, "name", "") if is_logger_class(kind) else "")
        elif kind is object or kind in _SINGLE:
            self.token("single")
        elif issubclass(kind, enum.Enum):
            self.token("member", value._name_)
        elif kind is io.BytesIO or kind is io.StringIO:
            self._reduced(value, name)
        elif issubclass(kind, weakref.ReferenceType):
            self.feed(value())
        elif kind is threading.local:
            self.feed(value.__dict__)
        elif name == "ctypes.CDLL":
            self.token("library", str(value._name), versions.file_print(str(value._name)))
        elif kind in _WITH_PARTS:
            for part in _WITH_PARTS[kind]:
                self.feed(_field(value, part))
        elif value is sys.stdout or value is sys.stderr:
            self.token("stream", "stdout" if value is sys.stdout else "stderr")
        elif name == "numpy.ndarray" and not value.dtype.hasobject:
            flags = (value.flags.c_contiguous, value.flags.f_contiguous, value.flags.writeable)
            self.token("array", value.dtype.str, repr(value.dtype.descr), repr(value.shape))
            self.token("flags", repr(flags))
            self.token("bytes", value.tobytes())
        elif (
            name.rpartition(".")[0].partition(".")[0] in _REDUCED
            or name.rpartition(".")[0] in _REDUCED
        ):
            self._reduced(value, name)
        elif _is_written_in_python(kind) or _has_slots(kind):
            self._fields(value, kind)
        elif not _is_own_class(kind) and not _is_live(value):
            self._reduced(value, name)
        else:
            raise Unpinned(f"an object of {name}, which cannot be compared from run to run")

    def _fields(self, value: Any, kind: type) -> None:
        """What an instance holds, as it lies in memory."""
        for base in line_of(kind):
            content = _CONTENTS.get(base)
            if content is not None:
                content(self, value)
                break
        else:
            if (above := _first_in_c(kind)) is not object:
                self._reduced(value, above.__name__) if not _is_own_class(kind) else None
        fields = _field(value, "__dict__")
        if isinstance(fields, dict):
            for name, held in sorted(fields.items(), key=lambda one: str(one[0])):
                self.token("field", str(name))
                self.feed(held)
        for base in line_of(kind):
            for name, member in sorted(class_names(base).items()):
                if type(member) is types.MemberDescriptorType and member.__objclass__ is base:
                    try:
                        held = member.__get__(value)
                    except AttributeError:
                        continue
                    self.token("slot", name)
                    self.feed(held)

    def _reduced(self, value: Any, name: str) -> None:
        how = copyreg.dispatch_table.get(type(value))
        try:
            if how is None:
                reduced = value.__reduce_ex__(4)
            elif is_of_project(sys.modules.get(how.__module__)):
                raise Unpinned(name)
            else:
                reduced = how(value)
        except Exception:
            raise Unpinned(
                f"an object of {name}, which cannot be compared from run to run"
            ) from None
        if isinstance(reduced, str):
            self.token("reduced", reduced)
            return
        how, args, *rest = reduced
        self.feed(how)
        self.feed(args)
        state, *items = [*rest, None, None, None][:3]
        # exceptions have empty attributes from when somebody first asks for these
        self.feed(None if type(state) is dict and not state else state)
        for item in items:
            self.feed(None if item is None else list(item))


def aliases(held: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """The names that stand for one object that can change, each with the first of them.

    Args:
        held: What names stand for.
    """
    places: dict[int, list[str]] = {}
    for place, value in held.items():
        kind = type(value)
        if kind not in _SCALARS and not issubclass(kind, _BY_THEMSELVES):
            places.setdefault(id(value), []).append(place)
    for several in filter(lambda one: len(one) > 1, places.values()):
        first, *others = sorted(several)
        yield from ((other, first) for other in others)


# Of these it makes no difference whether two names stand for one.
_BY_THEMSELVES = (
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
    types.CodeType,
    tuple,
    frozenset,
)


def _made_of(closure: Closure) -> FunctionType:
    try:
        return as_function(closure)
    except LookupError:
        raise Unpinned("a function that the program has not made yet") from None


_DEEPEST = 200


def _texts(feed: _Feed, value: Any) -> None:
    feed.token("text", str.__str__(value))


_CONTENTS: dict[type, Callable[[_Feed, Any], None]] = {
    dict: lambda feed, value: feed.all("dict", (x for pair in dict.items(value) for x in pair)),
    list: lambda feed, value: feed.all("list", list.__iter__(value)),
    tuple: lambda feed, value: feed.all("tuple", tuple.__iter__(value)),
    deque: lambda feed, value: feed.all(f"deque {value.maxlen}", deque.__iter__(value)),
    set: lambda feed, value: feed.apart("set", set.__iter__(value)),
    frozenset: lambda feed, value: feed.apart("frozenset", frozenset.__iter__(value)),
    int: lambda feed, value: feed.token("int", int.__format__(value, "x")),
    float: lambda feed, value: feed.token("float", struct.pack("<d", value)),
    str: _texts,
    bytes: lambda feed, value: feed.token("bytes", bytes.__getitem__(value, slice(None))),
    BaseException: lambda feed, value: feed.feed(_field(value, "args")),
}
_SCALARS: dict[type, Callable[[Any], bytes | str]] = {
    int: lambda value: f"{value:x}",
    bool: str,
    float: lambda value: struct.pack("<d", value),
    complex: lambda value: struct.pack("<dd", value.real, value.imag),
    str: lambda value: value,
    bytes: lambda value: value,
    type(None): lambda _: b"",
    type(...): lambda _: b"",
    type(NotImplemented): lambda _: b"",
}
_NUMBERS = frozenset({int, float, complex, bool})
_FIXED_HASHES = os.environ.get("PYTHONHASHSEED", "random") != "random"
_SINGLE = (type(None), type(...), type(NotImplemented))


def _first_in_c(kind: type) -> type:
    """The first class above one that is not written in Python."""
    return next(one for one in line_of(kind) if not _is_written_in_python(one))


def _has_slots(kind: type) -> bool:
    return bool(kind.__flags__ & 1 << 9) and "__slots__" in class_names(kind)


def _is_live(value: Any) -> bool:
    """Whether something is under way, or open."""
    live = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType)
    return isinstance(value, live) or hasattr(type(value), "fileno")


def inside(place: str, exc: Unpinned) -> str:
    """The same of what holds it, unless that is told already."""
    return f"{place} holds {exc}" if " holds " not in str(exc) else str(exc)


def _module_of(cls: type) -> str:
    return str(_MODULE.__get__(cls))


_MODULE = type.__dict__["__module__"]


def _name_of(value: Any) -> tuple[str, str]:
    if isinstance(value, type):
        return _module_of(value), value.__qualname__
    return str(value.__globals__.get("__name__")), value.__qualname__


# By code, which is found by its identity: equal code may stand elsewhere.
_codes: dict[int, tuple[CodeType, bytes]] = {}
_lines: dict[int, tuple[CodeType, bytes]] = {}


def code_print(code: CodeType) -> bytes:
    """What code does, without where it stands: comments and layout do not count."""
    found = _codes.get(id(code))
    if found is None:
        found = _codes[id(code)] = code, _code_print(code)
    return found[1]


def _code_print(code: CodeType) -> bytes:
    own = hashlib.blake2b(digest_size=16)
    numbers = (
        *(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
        *(code.co_name, code.co_qualname, code.co_names, code.co_varnames),
        *(code.co_freevars, code.co_cellvars),
    )
    for part in (
        repr(numbers).encode("utf-8", "surrogatepass"),
        code.co_code,
        code.co_exceptiontable,
    ):
        own.update(len(part).to_bytes(8, "little"))
        own.update(part)
    for constant in code.co_consts:
        own.update(_constant(constant))
    return own.digest()


def _constant(value: Any) -> bytes:
    if isinstance(value, types.CodeType):
        return b"code" + code_print(value)
    if isinstance(value, (tuple, frozenset)):
        parts = list(map(_constant, value))
        parts = sorted(parts) if isinstance(value, frozenset) else parts
        kind = type(value).__name__.encode()
        return hashlib.blake2b(repr((kind, parts)).encode(), digest_size=16).digest()
    if isinstance(value, slice):
        return _constant(("slice", value.start, value.stop, value.step))
    scalar = _SCALARS[type(value)](value)
    data = scalar.encode("utf-8", "surrogatepass") if isinstance(scalar, str) else scalar
    return hashlib.blake2b(type(value).__name__.encode() + b":" + data, digest_size=16).digest()


def lines_print(code: CodeType) -> bytes:
    """Where code stands."""
    found = _lines.get(id(code))
    if found is None:
        own = hashlib.blake2b(digest_size=8)
        own.update(os.fsencode(code.co_filename))
        own.update(code.co_firstlineno.to_bytes(8, "little", signed=True) + code.co_linetable)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                own.update(lines_print(constant))
        found = _lines[id(code)] = code, own.digest()
    return found[1]


def forget() -> None:
    """Let go of the program's code."""
    _codes.clear()
    _lines.clear()
