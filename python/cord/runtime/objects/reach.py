"""What a remote function reaches: the names that its code may read, and the objects behind them.

The walk starts at a function and follows the names of its code, through the functions, classes,
modules and instances of the project. It reads dicts and fields of the interpreter's own, so no code
of the program runs in it. Names of attributes count as names, too: rather too much is found than
too little. What a library's own code reads is not looked into; what the program has bound in a
library's module or class is, as far as the project's code names it.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections import deque
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from cord._core import RemoteFunction, original_of, stand_for
from cord.plan.modules import is_of_python
from cord.runtime.objects.closures import held_by_function
from cord.runtime.objects.loggers import is_logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

MAIN = "__main__"
# Code that names one of these may read any name of the modules that it names.
_DYNAMIC = frozenset(
    "getattr vars globals eval exec locals dir __dict__ import_module __import__ attrgetter".split()
)
# Modules in which programs bind names of their own.
_OPEN = frozenset({"sys"})
_PARTS = ("__func__", "__wrapped__", "fget", "fset", "fdel", "func", "args", "keywords")
_WITH_PARTS = (
    classmethod,
    staticmethod,
    property,
    functools.partial,
    functools.partialmethod,
    functools.cached_property,
    functools._lru_cache_wrapper,
)
# So many items of containers are looked at for functions, classes and instances.
_MOST_ITEMS = 100_000
_DICT = type.__dict__["__dict__"]
_MRO = type.__dict__["__mro__"]
_MODULE_DICT: Any = vars(ModuleType)["__dict__"]
_GETTERS = (operator.attrgetter, operator.methodcaller)
_SCALARS = (int, float, complex, bool, str, bytes, type(None))


class Reach:
    """What functions reach.

    Attributes:
        names: By module of the project, the names that are read of it, bound or not.
        bindings: By module that is not the project's, the names that are read of it.
        attributes: Classes that are not the project's, and the attributes that are read of them.
        functions: The project's functions whose code may run, and what decorators made of them.
        classes: The project's classes.
        objects: What the names stand for that is neither of these, nor a number, text or module.
        kinds: The classes of such objects of others: a reach that is kept holds no objects.
        whole: The modules of the project of which any name may be read.
    """

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.bindings: dict[str, set[str]] = {}
        self.attributes: dict[type, set[str]] = {}
        self.functions: list[FunctionType] = []
        self.classes: list[type] = []
        self.objects: list[object] = []
        self.kinds: set[type] = set()
        self.whole: set[str] = set()

    def add(self, other: Reach) -> None:
        """Add what others reach; of their objects, the classes."""
        for mine, theirs in (
            (self.names, other.names),
            (self.bindings, other.bindings),
            (self.attributes, other.attributes),
        ):
            for key, names in theirs.items():
                mine.setdefault(key, set()).update(names)  # type: ignore[arg-type]
        _extend(self.functions, other.functions)
        _extend(self.classes, other.classes)
        self.kinds |= other.kinds | set(map(type, other.objects))
        self.whole |= other.whole


def _extend(some: list[Any], more: list[Any]) -> None:
    seen = set(map(id, some))
    some.extend(one for one in more if id(one) not in seen)


def reach_of(
    functions: Iterable[object], others: Iterable[type] = (), *, is_close: bool = False
) -> Reach:
    """Find what functions reach.

    Args:
        functions: The functions, or what stands for them.
        others: Classes whose instances may come as arguments: one counts if code that is reached
            names an attribute of it.
        is_close: A name that code uses for attributes only is none of its module's.

    Returns:
        What they reach, in the order in which it was found.
    """
    return _Walk(others, is_close=is_close).reach(functions)


def is_of_project(module: object) -> bool:
    """Whether a module is the project's: neither of Python, nor installed, nor Cord's own."""
    if not issubclass(type(module), ModuleType):
        return False
    names = names_of(module)  # type: ignore[arg-type]
    name, path = names.get("__name__"), names.get("__file__")
    if name == MAIN:
        return True
    if not isinstance(name, str) or not isinstance(path, str):
        return False
    return _is_own_path(name.partition(".")[0], path)


def modules_of_project() -> dict[str, ModuleType]:
    """The project's modules that are loaded, by name; the main script is one."""
    return {name: one for name, one in list(sys.modules.items()) if is_of_project(one)}


@functools.cache
def _is_own_path(top: str, path: str) -> bool:
    return top != "cord" and path.endswith((".py", ".pyc")) and not is_of_python(path)


# What modules had under names that Cord has bound to something else, in a copy of the program.
_bound_by_cord: dict[int, dict[str, Any]] = {}


def names_of(module: ModuleType) -> dict[str, Any]:
    """A module's dict, whatever its class makes of `__dict__`; as the program has it."""
    found: dict[str, Any] = _MODULE_DICT.__get__(module)
    if _bound_by_cord and id(module) in _bound_by_cord:
        return {**found, **_bound_by_cord[id(module)]}
    return found


def bind_for_cord(module: ModuleType, names: dict[str, Any]) -> None:
    """Bind names of a module to something of Cord's; the program has what was there."""
    known = _MODULE_DICT.__get__(module)
    before = _bound_by_cord[id(module)] = {name: known[name] for name in names}
    known.update(names)
    stand_for([(names[name], value) for name, value in before.items()])


def class_names(cls: type) -> Any:
    """A class's own dict, whatever its metaclass makes of `__dict__`."""
    return _DICT.__get__(cls)


def line_of(cls: type) -> tuple[type, ...]:
    """A class and those above it."""
    line: tuple[type, ...] = _MRO.__get__(cls)
    return line


@functools.cache
def code_names(code: CodeType) -> frozenset[str]:
    """All names in code, those of functions inside it included."""
    inside: list[Iterable[str]]
    inside = [code_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    if not {"getattr", "hasattr"}.isdisjoint(code.co_names):
        inside.append({one for one in code.co_consts if type(one) is str and one.isidentifier()})
    return frozenset(code.co_names).union(*inside, _imported(code))


@functools.cache
def global_names(code: CodeType) -> frozenset[str]:
    """The names of code, and of functions inside it, that it asks of its module."""
    import dis  # for plans that keep something

    inside = [global_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    steps = dis.get_instructions(code)
    own = {step.argval for step in steps if step.opname.endswith(("GLOBAL", "GLOBALS", "_NAME"))}
    return frozenset(own).union(*inside)


def _imported(code: CodeType) -> Iterator[str]:
    """The parts of the names that imports inside a function ask for."""
    for name in code.co_names:
        if "." in name:
            yield from name.split(".")


def unnamed_methods(cls: type) -> list[FunctionType]:
    """A class's own methods that operators and builtins call, so that nobody names them."""
    return [
        held
        for name, held in class_names(cls).items()
        if type(held) is FunctionType and name[:2] == "__" == name[-2:] and name not in _NAMED
    ]


def is_the_programs(value: Any) -> bool:
    """Whether a value in a library can only have been put there by the program."""
    kind: Any = type(value)
    if kind is RemoteFunction:
        return True
    if kind is FunctionType:
        return _is_own(value.__globals__.get("__name__"))
    if kind is MethodType:
        return is_the_programs(value.__func__) or is_the_programs(value.__self__)
    if kind is functools.partial:
        return is_the_programs(value.func)
    if kind in (staticmethod, classmethod):
        return is_the_programs(value.__func__)
    if kind is property:
        return any(map(is_the_programs, (value.fget, value.fset, value.fdel)))
    if issubclass(kind, type):
        return _is_own(class_names(value).get("__module__"))
    return any(_is_own(class_names(one).get("__module__"), mocks=True) for one in line_of(kind))


def _is_own(name: object, *, mocks: bool = False) -> bool:
    if mocks and name == "unittest.mock":
        return True
    return name == MAIN or (isinstance(name, str) and is_of_project(sys.modules.get(name)))


def chains(code: CodeType) -> Iterator[list[str]]:
    """The names by which code comes to something, with those of attributes behind them."""
    import dis  # for plans that keep something

    chain: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "IMPORT_NAME")):
            if chain:
                yield chain
            chain = [str(step.argval).partition(".")[0]]
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM") and chain:
            chain.append(str(step.argval))
        elif step.opname not in ("CACHE", "PRECALL", "EXTENDED_ARG", "NOP", "PUSH_NULL"):
            if chain:
                yield chain
            chain = []
    if chain:
        yield chain
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from chains(one)


class _Walk:
    def __init__(self, others: Iterable[type], *, is_close: bool = False) -> None:
        self.found = Reach()
        self._is_close = is_close
        self._seen: set[int] = set()
        self._kept: list[object] = []  # what was seen lives meanwhile
        # what is to be looked into, with the names of the code that leads there
        self._waiting: deque[tuple[Any, frozenset[str]]] = deque()
        self._modules: dict[int, set[str]] = {}
        self._items = 0
        self._by_name: dict[str, list[type]] = {}
        self._unnamed: list[FunctionType] = []
        for cls in others:
            self._unnamed += unnamed_methods(cls)
            for name in class_names(cls):
                self._by_name.setdefault(name, []).append(cls)
        self._named: set[str] = set()
        self._loose: list[ModuleType] = []  # modules that code holds as values

    def reach(self, functions: Iterable[object]) -> Reach:
        for function in functions:
            self._add(function, frozenset())
        for method in self._unnamed:
            self._add(method, frozenset())
        while self._waiting or self._are_read():
            self._look(*self._waiting.popleft())
        return self.found

    def _are_read(self) -> bool:
        """Whether code reads more of modules that it may have by other names than their own."""
        names = frozenset[str]().union(*(code_names(one.__code__) for one in self.found.functions))
        for module in self._loose:
            if not names <= self._modules.get(id(module), set()):
                self._add(module, names)
        return bool(self._waiting)

    def _hold(self, value: Any, names: frozenset[str]) -> None:
        """As `_add`, of what is held by something else than a module."""
        if self._is_close and issubclass(type(value), ModuleType) and is_of_project(value):
            self._loose.append(value)
        self._add(value, names)

    def _add(self, value: Any, names: frozenset[str]) -> None:
        if issubclass(type(value), _SCALARS):  # unlike isinstance, this asks nothing of the value
            return
        # a module or a library's class is more, the more names lead there
        again = issubclass(type(value), (ModuleType, type))
        if again or id(value) not in self._seen:
            if not again:
                self._seen.add(id(value))
                self._kept.append(value)
            self._waiting.append((value, names))

    def _look(self, value: Any, names: frozenset[str]) -> None:
        kind = type(value)
        if kind is RemoteFunction:
            self._add(original_of(value), names)
        elif kind is FunctionType:
            self._function(value)
        elif issubclass(kind, type):
            self._class(value, names)
        elif issubclass(kind, ModuleType):
            self._module(value, names)
        elif kind is MethodType:
            self._add(value.__func__, names)
            self._add(value.__self__, names)
        elif kind is BuiltinFunctionType and not issubclass(type(value.__self__), ModuleType):
            self._add(value.__self__, names)
        elif issubclass(kind, _WITH_PARTS):
            self._parts(value, names)
        else:
            self._object(value, names)

    def _function(self, function: FunctionType) -> None:
        self.found.functions.append(function)
        known, code = function.__globals__, function.__code__
        names = code_names(code)
        module = sys.modules.get(known.get("__name__", ""))
        is_own = is_of_project(module) and names_of(module) is known  # type: ignore[arg-type]
        if is_own:
            own = names & global_names(code) if self._is_close else names
            self._read(module, names, own)  # type: ignore[arg-type]
        elif self._is_close and (module is None or is_of_project(module)):
            # made in a namespace of its own
            for name in sorted(names & known.keys()):
                self._add(known[name], names)
        if self._is_close:
            for chain in chains(code):
                self._hold_module(known, chain)
        names = names if is_own else frozenset()
        for held in held_by_function(function):
            self._hold(held, names)

    def _hold_module(self, known: dict[str, Any], chain: list[str]) -> None:
        """What names lead to, if that is a module of which no name is read there."""
        value = known.get(chain[0])
        for name in chain[1:]:
            if not issubclass(type(value), ModuleType):
                return
            value = names_of(value).get(name)  # type: ignore[arg-type]
        if issubclass(type(value), ModuleType):
            self._hold(value, frozenset())

    def _read(self, module: ModuleType, names: frozenset[str], there: frozenset[str]) -> None:
        """Code of a module's own reads these names, `there` in the module."""
        known = names_of(module)
        builtin = names_of(sys.modules["builtins"])
        own = {name for name in there if name in known or name not in builtin}
        self._note(self.found.names, known["__name__"], own)
        there = (names - own) & builtin.keys()
        self._note(self.found.bindings, "builtins", there)
        for name in filter(lambda one: is_the_programs(builtin[one]), sorted(there)):
            self._add(builtin[name], names)
        if any(type(known[name]) in _GETTERS for name in own & known.keys()):
            names |= {"attrgetter"}
        for name in sorted(own & known.keys()):
            self._add(known[name], names)
        if not names.isdisjoint(_DYNAMIC):
            self._all_of(module, names)
        if any(name in sys.modules for name in names):  # it imports inside
            for name in sorted(names & sys.modules.keys()):
                self._add(sys.modules[name], names)
        for name in names - self._named:
            self._named.add(name)
            for cls in self._by_name.get(name, ()):
                self._add(cls, names)

    def _all_of(self, module: ModuleType, names: frozenset[str]) -> None:
        name = names_of(module)["__name__"]
        if name in self.found.whole or name == MAIN:
            return
        self.found.whole.add(name)
        self._note(self.found.names, name, set(names_of(module)))
        for value in list(names_of(module).values()):
            self._add(value, names)

    @staticmethod
    def _note(where: dict[Any, set[str]], key: Any, names: Iterable[str]) -> None:
        where.setdefault(key, set()).update(names)

    def _module(self, module: ModuleType, names: frozenset[str]) -> None:
        known = names_of(module)
        before = self._modules.setdefault(id(module), set())
        new = names - before
        before.update(new)
        if not new:
            return
        name = known.get("__name__")
        if not isinstance(name, str) or sys.modules.get(name) is not module:
            self._object(module, names)
            return
        if not is_of_project(module):
            there = new & known.keys()
            is_open = name in _OPEN or "__path__" in known  # an import may bind a module in it
            self._note(self.found.bindings, name, new if is_open else there)
            for one in sorted(there):
                if issubclass(type(known[one]), (ModuleType, type)) or is_the_programs(known[one]):
                    self._add(known[one], names)
            return
        if not names.isdisjoint(_DYNAMIC):
            self._all_of(module, names)
        self._note(self.found.names, name, new)
        for one in sorted(new & known.keys()):
            self._add(known[one], names)

    def _class(self, cls: type, names: frozenset[str]) -> None:
        if not _is_own_class(cls):
            if _FLAGS.__get__(cls) & _ON_HEAP:
                named = names & class_names(cls).keys()
                self._note(self.found.attributes, cls, named) if named else None
                for name in filter(
                    lambda one: is_the_programs(class_names(cls)[one]), sorted(named)
                ):
                    self._add(class_names(cls)[name], names)
            return
        if id(cls) in self._seen:
            return
        self._seen.add(id(cls))
        self.found.classes.append(cls)
        for above in line_of(cls)[1:]:
            self._add(above, names)
        self._add(type(cls), names)
        for name, value in list(class_names(cls).items()):
            if name not in ("__dict__", "__weakref__", "__doc__", "__module__"):
                self._hold(value, names)

    def _parts(self, value: Any, names: frozenset[str]) -> None:
        for name in _PARTS:
            self._hold(_field(value, name), names)
        self._add(_field(value, "__dict__"), names)

    def _object(self, value: Any, names: frozenset[str]) -> None:
        self.found.objects.append(value)
        self._inside(value, names)

    def _inside(self, value: Any, names: frozenset[str]) -> None:
        """Functions, classes and instances that an object holds."""
        cls = type(value)
        self._add(cls, names)
        if is_logger(value):
            return
        held: Iterable[Any] = ()
        if issubclass(cls, dict):
            held = [part for pair in dict.items(value) for part in pair]
        elif issubclass(cls, _SEQUENCES):
            held = next(one for one in _SEQUENCES if issubclass(cls, one)).__iter__(value)
        fields = _field(value, "__dict__") if _is_written_in_python(cls) else None
        for item in [*held, *_slots(value), *(fields or {}).values()]:
            if issubclass(type(item), _SCALARS):
                continue
            self._items += 1
            if self._items > _MOST_ITEMS:
                return
            if id(item) in self._seen:
                continue
            if issubclass(type(item), _CODE):
                self._hold(item, names)
            else:
                self._seen.add(id(item))
                self._kept.append(item)
                self._inside(item, names) if self._items < _DEEPEST else self._add(item, names)


_CODE = (
    FunctionType,
    RemoteFunction,
    MethodType,
    BuiltinFunctionType,
    type,
    ModuleType,
    *_WITH_PARTS,
)
_ON_HEAP = 1 << 9
# Methods between underscores that run where a class is named, or when an instance dies.
_NAMED = frozenset({"__init__", "__new__", "__init_subclass__", "__class_getitem__", "__del__"})
_DEEPEST = 500  # beyond it what is found waits, so that this does not go too deep
_SEQUENCES = (list, tuple, set, frozenset, deque)


_FLAGS = type.__dict__["__flags__"]
_DICTOFFSET = type.__dict__["__dictoffset__"]


def _is_own_class(cls: type) -> bool:
    module = class_names(cls).get("__module__")
    return type(module) is str and is_of_project(sys.modules.get(module))


def _is_written_in_python(cls: type) -> bool:
    return bool(_FLAGS.__get__(cls) & _ON_HEAP) and _DICTOFFSET.__get__(cls) != 0


def _field(value: Any, name: str) -> Any:
    """What an object of the interpreter's has under a name; None if it has nothing."""
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return None


def _slots(value: Any) -> Iterator[Any]:
    """What is in an instance's slots."""
    for cls in line_of(type(value)):
        if not _is_own_class(cls):
            continue
        for member in class_names(cls).values():
            if type(member) is _Member:
                try:
                    yield member.__get__(value)
                except AttributeError:
                    continue


class _WithSlot:
    __slots__ = ("slot",)


_Member = type(_WithSlot.__dict__["slot"])
