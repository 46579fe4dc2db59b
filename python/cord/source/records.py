"""Classes of plain records, written as `dataclasses` has them, and made in a tenth of the time.

There are dozens on the way to a first call, and `dataclasses` takes a third of a millisecond for
each, besides what it imports. Here methods are compiled once, or when the first record is made.
That a frozen record does not change is for type checkers to see.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, field, replace
    from typing import Any

__all__ = ["dataclass", "field", "replace"]

_FIELDS = "__record_fields__"


class _Field:
    """A field whose value is made anew for each record."""

    def __init__(self, default_factory: Callable[[], Any]) -> None:
        self.make = default_factory


def _dataclass(*, eq: bool = True, frozen: bool = False, slots: bool) -> Callable[[type], type]:
    def made(cls: type) -> type:
        body = {name: value for name, value in vars(cls).items() if name not in _OF_EACH}
        names = body.get("__annotations__", ())
        defaults = {name: body.pop(name) for name in names if name in body}
        above: dict[str, Any] = getattr(cls, _FIELDS, {})
        fields = {**above, **{name: defaults.get(name, _Field) for name in names}}
        body[_FIELDS] = fields
        body["__slots__"] = tuple(name for name in names if name not in above)
        body["__match_args__"] = tuple(fields)
        body["__init__"] = _init_at_first(fields)
        usual = {"__repr__": _repr, **(_comparing(attrgetter(*fields), frozen) if eq else {})}
        found = type(cls)(cls.__name__, cls.__bases__, {**usual, **body})
        found.__qualname__ = cls.__qualname__
        return found

    return made


_OF_EACH = ("__dict__", "__weakref__")


def _init_at_first(fields: dict[str, Any]) -> Callable[..., None]:
    """What makes the first record of a class: it compiles what makes the others."""

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        owner = next(one for one in type(self).__mro__ if vars(one).get("__init__") is init)
        owner.__init__ = whole = _init(fields)  # type: ignore[misc]
        whole(self, *args, **kwargs)

    return init


def _init(fields: dict[str, Any]) -> Callable[..., None]:
    known: dict[str, Any] = {"_none": _Field}
    parameters, lines = "", ""
    for name, default in fields.items():
        value = name
        if type(default) is _Field:
            known[f"_of_{name}"] = default.make
            value = f"_of_{name}() if {name} is _none else {name}"
            parameters += f", {name}=_none"
        elif default is _Field:
            parameters += f", {name}"
        else:
            known[f"_of_{name}"] = default
            parameters += f", {name}=_of_{name}"
        lines += f"\n    self.{name} = {value}"
    exec(f"def __init__(self{parameters}):{lines or ' pass'}", known)
    found: Callable[..., None] = known["__init__"]
    return found


def _comparing(values: Callable[[Any], Any], frozen: bool) -> dict[str, Any]:
    def equal(self: Any, other: object) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed if frozen else None}


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{type(self).__qualname__}({shown})"


def _replace(record: Any, **changes: Any) -> Any:
    """The same record with other values."""
    values = {name: getattr(record, name) for name in getattr(record, _FIELDS)}
    return type(record)(**{**values, **changes})


if not TYPE_CHECKING:
    dataclass, field, replace = _dataclass, _Field, _replace
