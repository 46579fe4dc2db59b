"""Values of library classes that a copy does not know yet: matches, times, decimal numbers."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable

from cord.knowledge import functions
from cord.knowledge.classes import PLAIN, full_name
from cord.knowledge.methods import TYPES

from .leaf import Leaf
from .questions import asking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .nodes import Node


class UnknownThing(Leaf):
    """A value that nobody changes."""

    __slots__ = ("_node", "_sample")

    def __new__(cls, sample: Any, node: Node) -> UnknownThing:
        """What stands for `node`, and is like the sample."""
        made = object.__new__(cls)
        made._sample, made._node = sample, node
        return made

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What it will be."""
        return type(self._sample)

    def __getattr__(self, name: str) -> Any:
        """What it has under a name: a method that computes something, or what stands for it."""
        from .leaves import apply

        sample = self._sample
        if not hasattr(sample, name):
            return getattr(self._node.await_value(), name)
        if not callable(getattr(sample, name)):
            return apply(getattr, (self, name))
        row = functions.find(f"{full_name(type(sample))}.{name}")
        if row is None or not row.keeps_arguments or not row.harmless:
            return getattr(self._node.await_value(), name)
        return lambda *args, **kwargs: apply(_called, (self, name, *args), **kwargs)


def _called(thing: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    return getattr(thing, name)(*args, **kwargs)


def is_thing(sample: Any) -> bool:
    """Whether a value is such."""
    return full_name(type(sample)) in _THINGS


_THINGS = PLAIN - {"numpy.ndarray", "array.array"} | {
    name for name in TYPES if name.startswith("_hashlib.")
}


_OPERATORS = (
    """add sub mul truediv floordiv mod pow lt le eq ne gt ge neg pos abs getitem""".split()
)
_REFLECTED = "add sub mul truediv floordiv mod pow".split()
_ASKING: dict[str, Callable[..., Any]] = {
    "bool": bool,
    "len": len,
    "hash": hash,
    "iter": iter,
    "int": int,
    "float": float,
    "contains": operator.contains,
    "fspath": os.fspath,
}


def _computing(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: UnknownThing, *args: Any) -> Any:
        from .leaves import apply

        return apply(function, (self, *args))

    return method


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: UnknownThing, other: Any) -> Any:
        from .leaves import apply

        return apply(function, (other, self))

    return method


def _described(self: UnknownThing, spec: str = "") -> str:
    from .leaves import apply, formatted

    return formatted(apply(format, (self, spec)))


def _define() -> None:
    for name in _OPERATORS:
        setattr(UnknownThing, f"__{name}__", _computing(getattr(operator, name)))
    for name in _REFLECTED:
        setattr(UnknownThing, f"__r{name}__", _reflected(getattr(operator, name)))
    for name, function in _ASKING.items():
        setattr(UnknownThing, f"__{name}__", asking(function))
    for function in (repr, str, round, divmod):
        setattr(UnknownThing, f"__{function.__name__}__", _computing(function))
    UnknownThing.__format__ = _described  # type: ignore[method-assign,assignment]


_define()
