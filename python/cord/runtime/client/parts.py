"""What holds the state of a module: its names, and those of its functions and classes.

Each is a holder, with slots by name; a slot is noted as the module's import left it, and later told
to be the same, bound to another value, or bound to the same one with another content.
"""

from __future__ import annotations

import functools
import sys
from _thread import _local as local
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)

from cord._core import RemoteFunction, Watch, original_of
from cord.runtime.objects.classes import attributes_of_members
from cord.runtime.objects.loggers import is_logger_class, is_nameless
from cord.runtime.objects.reach import (
    _PARTS,
    _WITH_PARTS,
    _field,
    class_names,
    is_of_project,
    names_of,
)
from cord.runtime.objects.texts import named_elsewhere
from cord.runtime.travel.watched import plain_print_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    # A module's name, then the steps to what is in it.
    Path = tuple[str, ...]
    # Where something differs: the path of its holder, and the slot.
    Key = tuple[Path, str]

ABSENT: Any = type("Absent", (), {})()
_HELD = (
    int,
    float,
    complex,
    bool,
    str,
    bytes,
    type(None),
    type,
    FunctionType,
    BuiltinFunctionType,
    CodeType,
    ModuleType,
    RemoteFunction,
    GetSetDescriptorType,
    MemberDescriptorType,
)
# They are held: what they lead to is looked into, and not they.
_OPAQUE = (MethodType, *_WITH_PARTS)
# What Python itself keeps in a class, and changes by itself.
_PYTHONS = frozenset(
    "__dict__ __weakref__ __module__ __doc__ __qualname__ __annotations__ __annotate__ __slots__"
    " __annotate_func__ __annotations_cache__ __abstractmethods__ _abc_impl __firstlineno__"
    " __static_attributes__ __type_params__ __parameters__ __orig_bases__".split()
)

# What an enumeration has of its members.
_OF_MEMBERS = ("_member_map_", "_value2member_map_", "_member_names_", "_unhashable_values_")


class Noted:
    """A value and what it held.

    What could tell that it is held is known by its address only.

    Args:
        value: The value.
        is_named: Whether other texts name it: then of objects which only their encoding tells of
            that is looked at, too.
    """

    __slots__ = ("_address", "_held", "_inside", "_watch")

    def __init__(self, value: Any, *, is_named: bool = False) -> None:
        self._address = _address_of(value)
        self._inside = addresses_inside(value)  # another tuple may come to lie where this was
        is_held = value is ABSENT or _is_fixed(type(value))
        self._held = value if is_held or is_opaque(value) else None
        if is_held:
            self._watch: Watch | None = None
            return
        watched = [value] if not is_opaque(value) else parts_within(value)
        self._watch = Watch(watched, (), (), is_named) if watched else None

    def is_same(self, now: Any) -> bool:
        """Whether this is the same value, with the same content."""
        return self.change(now) is None

    def change(self, now: Any) -> str | None:
        """How it has changed: `bind` to another value, `update` in place, or not."""
        if _address_of(now) != self._address or addresses_inside(now) != self._inside:
            if type(now) in _SIMPLE and type(now) is type(self._held) and now == self._held:
                return None
            return "unbind" if now is ABSENT else "bind"
        return None if self._watch is None or self._watch.is_unchanged() else "update"


def addresses_inside(value: object) -> tuple[int, ...]:
    """Where the items of a tuple are, and of those in it; nothing of what is none."""
    if type(value) is not tuple:
        return ()
    return tuple(each for one in value for each in (id(one), *addresses_inside(one)))


def _address_of(value: object) -> int:
    """Where it lies; a remote function is what it stands for."""
    return id(original_of(value) if type(value) is RemoteFunction else value)


def _is_fixed(kind: type) -> bool:
    """Whether objects of a class hold nothing that can change; attributes can."""
    return issubclass(kind, _HELD) and not (issubclass(kind, _VALUES) and kind.__dictoffset__)


_VALUES = (int, float, complex, str, bytes)
_WITH_ATTRIBUTES = (*_VALUES, functools.partial)
_BASES: Any = type.__dict__["__bases__"]
# What `lru_cache` makes of a function.
CACHED: Any = functools._lru_cache_wrapper
_SIMPLE = (int, str, bytes, bool)


def is_opaque(value: object) -> bool:
    """Whether this is a bound method or the like: fixed itself, whatever is in it."""
    kind = type(value)
    return issubclass(kind, _OPAQUE) or (is_logger_class(kind) and is_nameless(value))


def attributes_beside(value: Any) -> dict[str, Any] | None:
    """The attributes of a value that is fixed otherwise, or has them for each thread."""
    kind = type(value)
    if issubclass(kind, local):
        return getattr(value, "__dict__", None)
    has_some = issubclass(kind, _WITH_ATTRIBUTES) and kind.__dictoffset__
    if not has_some or any("_member_map_" in class_names(one) for one in kind.__mro__):
        return None  # what members of enumerations have, these tell of
    held: dict[str, Any] = object.__getattribute__(value, "__dict__")
    return held


def parts_within(value: Any) -> list[Any]:
    """What is in a bound method or the like."""
    if type(value) is MethodType:
        return [value.__self__]
    if is_logger_class(type(value)):
        return [_field(value, "handlers"), _field(value, "filters")]
    return [held for name in _PARTS if (held := _field(value, name)) is not None]


class Holder:
    """A module, function or class, and what was in its slots.

    Attributes:
        path: Where it is found.
        value: It.
    """

    __slots__ = ("_noted", "path", "value")

    def __init__(self, path: Path, value: Any) -> None:
        self.path = path
        self.value = value
        slots = slots_of(value)
        hidden = names_of_hidden(slots) if issubclass(type(value), ModuleType) else ()
        self._noted = {name: Noted(held, is_named=name in hidden) for name, held in slots.items()}

    def count_as_bound(self, names: Iterable[str]) -> None:
        """Let names count as if the program had bound them after the import."""
        for name in names:
            self._noted.pop(name, None)

    def differences(
        self, names: Iterable[str] | None = None
    ) -> Iterator[tuple[Key, tuple[str, Any]]]:
        """What differs from what was noted, by its place: how, and what is there now.

        Args:
            names: The slots that count; None for all.
        """
        now = slots_of(self.value)
        for name in _wanted(names, (*self._noted, *now)):
            held = now.get(name, ABSENT)
            noted = self._noted.get(name)
            bound = None if held is ABSENT else "bind"
            how = bound if noted is None else noted.change(held)
            if how is not None:
                yield (self.path, name), (how, None if how == "unbind" else held)

    def there(self, names: Iterable[str] | None) -> Iterator[tuple[Key, Any]]:
        """What is in the slots now, by its place.

        Args:
            names: The slots that count; None for all.
        """
        now = slots_of(self.value)
        yield from (((self.path, name), now[name]) for name in _wanted(names, now) if name in now)


def _wanted(names: Iterable[str] | None, there: Iterable[str]) -> Iterable[str]:
    if names is None:
        return dict.fromkeys(there)
    return [each for name in sorted(names) for each in (name, f"@{name}")]


def names_of_hidden(known: dict[str, Any]) -> set[str]:
    """The names that texts of others have, of what may hold what only its encoding tells of."""
    found = {name for name, value in known.items() if not _is_fixed(type(value))}
    named = [name for name in found if name.encode() in named_elsewhere()]
    return {name for name in named if plain_print_of([known[name]]) is not None}


def slots_of(holder: Any) -> dict[str, Any]:
    """What a holder has in its slots.

    A name in a dict of a function's has a dot before it; one of a member of an enumeration, or of
    another value that is fixed but for its attributes, has an @ where it stands for these.
    """
    kind = type(holder)
    if kind is FunctionType:
        found = {
            name: getattr(holder, name) for name in ("__code__", "__defaults__", "__kwdefaults__")
        }
        for number, cell in enumerate(holder.__closure__ or ()):
            try:
                found[f"[{number}]"] = cell.cell_contents
            except ValueError:
                continue  # nothing is bound yet
        found.update({f".{name}": held for name, held in vars(holder).items()})
        return found
    if issubclass(kind, type):
        found = {name: held for name, held in class_names(holder).items() if name not in _PYTHONS}
        members = attributes_of_members(holder)
        if members:
            for name in (*members, *_OF_MEMBERS):
                found.pop(name, None)
            found.update({f"@{name}": held for name, held in members.items()})
        return {**found, "__bases__": _BASES.__get__(holder)}
    if issubclass(kind, ModuleType):
        known = names_of(holder).items()
        found = {name: held for name, held in known if name[:2] != "__" or name[-2:] != "__"}
        beside = {f"@{name}": attributes_beside(held) for name, held in found.items()}
        return {**found, **{name: held for name, held in beside.items() if held is not None}}
    return {}


def holders_of(module: ModuleType) -> Iterator[Holder]:
    """The holders in a module: it, its functions and classes, what decorators made of them."""
    yield Holder((names_of(module)["__name__"],), module)
    yield from _Finding(module).found()


class _Finding:
    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._name = names_of(module)["__name__"]
        self._seen = {id(module)}

    def found(self) -> Iterator[Holder]:
        for name, value in list(slots_of(self._module).items()):
            yield from self._look((self._name, name), value)

    def _look(self, path: Path, value: Any) -> Iterator[Holder]:
        kind = type(value)
        if kind is RemoteFunction:
            value = original_of(value)
            kind = type(value)
        is_holder = kind is FunctionType or issubclass(kind, type)
        if not is_holder and not issubclass(kind, _WITH_PARTS):
            return
        if id(value) in self._seen or not self._is_own(value):
            return
        self._seen.add(id(value))
        if is_holder:
            yield Holder(path, value)
            for name, held in slots_of(value).items():
                yield from self._look((*path, name), held)
            return
        if hasattr(kind, "cache_clear"):
            yield Holder(path, value)
        for name in _PARTS:
            if hasattr(kind, name) or name in getattr(value, "__dict__", ()):
                yield from self._look((*path, name), getattr(value, name))

    def _is_own(self, value: Any) -> bool:
        """Whether this is noted with this module: it is no other module's of the project."""
        home = getattr(value, "__module__", self._name)
        if home == self._name or not isinstance(home, str):
            return True
        if issubclass(type(value), type):
            return False
        return not is_of_project(sys.modules.get(home))
