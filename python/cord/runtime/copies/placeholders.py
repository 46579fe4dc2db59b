"""What stands for the value of a call in a copy of the program that runs ahead.

It can be stored and passed on. Whatever asks for the value waits until it is there, and then gets
what the value itself would give.
"""

from __future__ import annotations

import operator

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_MISSING = object()


class Placeholder:
    """Stands for the value of a call.

    Args:
        number: The call's number among those of the copy.
    """

    __slots__ = ("__weakref__", "_number", "_value")

    def __init__(self, number: int) -> None:
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_value", _MISSING)

    def __getattribute__(self, name: str) -> Any:
        return getattr(value_of(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(value_of(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(value_of(self), name)

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("it is not known yet")  # `known` has not found it: the copy ends

    def __iadd__(self, other: object) -> Any:
        return _change_by(operator.iadd, self, other)

    def __imul__(self, other: Any) -> Any:
        return _change_by(operator.imul, self, other)

    def __ior__(self, other: object) -> Any:
        return _change_by(operator.ior, self, other)


def _change_by(function: Callable[[Any, Any], Any], thing: Placeholder, other: object) -> Any:
    return function(value_of(thing), value_of(other))


_get_value = Placeholder.__dict__["_value"].__get__
_set_value = Placeholder.__dict__["_value"].__set__
_get_number = Placeholder.__dict__["_number"].__get__


def value_of(thing: Any) -> Any:
    """The value that `thing` stands for; anything else is itself."""
    if type(thing) is not Placeholder:
        return thing
    value = _get_value(thing)
    if value is _MISSING:
        found = _core.awaited(_get_number(thing))
        assert found is not None  # it has no leaders
        [value] = found
        _set_value(thing, value)
    return value


def _forced(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Placeholder, *args: Any, **kwargs: Any) -> Any:
        return function(value_of(self), *map(value_of, args), **kwargs)

    return method


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Placeholder, other: Any) -> Any:
        return function(other, value_of(self))

    return method


def _special(name: str) -> Callable[..., Any]:
    """The method that a value's type has; else what the type has no such method gives."""

    def call(value: Any, *args: Any) -> Any:
        method = getattr(type(value), name, None)
        if method is None:
            raise TypeError(f"{type(value).__name__} has no {name}")
        return method(value, *args)

    return call


_OPERATORS = "add sub mul matmul truediv floordiv mod lshift rshift and or xor".split()
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "len": len,
    "iter": iter,
    "next": next,
    "bool": bool,
    "repr": repr,
    "str": str,
    "hash": hash,
    "format": format,
    "int": int,
    "float": float,
    "complex": complex,
    "bytes": bytes,
    "index": operator.index,
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": abs,
    "invert": operator.invert,
    "round": round,
    "divmod": divmod,
    "pow": pow,
    "reversed": reversed,
    "contains": operator.contains,
    "getitem": operator.getitem,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "length_hint": operator.length_hint,
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "dir": dir,
    "call": lambda value, *args, **kwargs: value(*args, **kwargs),
    "rpow": lambda value, other: pow(other, value),
    "rdivmod": lambda value, other: divmod(other, value),
}
_BY_TYPE = (
    "trunc floor ceil fspath enter exit copy deepcopy buffer sizeof aiter anext await".split()
)


def _define() -> None:
    named = {f"__{name}__": _forced(function) for name, function in _FUNCTIONS.items()}
    for name in _OPERATORS:
        function = getattr(operator, name, None) or getattr(operator, f"{name}_")
        named[f"__{name}__"] = _forced(function)
        named[f"__r{name}__"] = _reflected(function)
    for name in _BY_TYPE:
        named[f"__{name}__"] = _forced(_special(f"__{name}__"))
    for name, method in named.items():
        setattr(Placeholder, name, method)


_define()


def known(
    args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """A call's arguments with values in place of what stands for them.

    Lists and dicts keep their identity: they are changed, which only this copy of the program sees.
    """
    seen: dict[int, Any] = {}
    made = tuple(_known(value, seen) for value in args)
    if kwargs is not None:
        kwargs = {name: _known(value, seen) for name, value in kwargs.items()}
    return made, kwargs


def _known(thing: Any, seen: dict[int, Any]) -> Any:
    kind = type(thing)
    if kind is Placeholder:
        return value_of(thing)
    if kind not in (list, tuple, dict) or not thing:
        return thing
    if id(thing) in seen:
        return seen[id(thing)]
    seen[id(thing)] = thing
    if kind is tuple:
        items = tuple(_known(item, seen) for item in thing)
        if any(new is not old for new, old in zip(items, thing, strict=True)):
            seen[id(thing)] = thing = items
    elif kind is list:
        for at, item in enumerate(thing):
            if (new := _known(item, seen)) is not item:
                thing[at] = new
    else:
        for key, item in thing.items():
            if (new := _known(item, seen)) is not item:
                thing[key] = new
    return thing
