"""Arrays that a copy does not know yet."""

from __future__ import annotations

import operator
import sys
from functools import cache

from cord.knowledge import functions
from cord.knowledge.methods import TYPES
from cord.runtime.travel.faithful import reducers

from .leaf import Leaf, refused
from .nodes import LOST, Node
from .questions import asking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ASKING: dict[str, Callable[..., Any]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "index": operator.index,
    "len": len,
    "contains": operator.contains,
}
_VIEWS = ("T", "real", "imag")


@cache
def _array_class() -> type:
    ndarray = sys.modules["numpy"].ndarray

    class UnknownArray(Leaf, ndarray):  # type: ignore[misc, valid-type]
        """An array. What C code makes of it has the sample's numbers, and is never sent."""

        _node: Node

        def __array_finalize__(self, _source: object) -> None:
            self._node = LOST

        def __array_function__(
            self, function: Any, _types: Any, args: Any, options: dict[str, Any]
        ) -> Any:
            row = functions.find(f"{function.__module__}.{function.__name__}")
            if row is None or not row.harmless:
                _lose(args)
                plain, types = _plain(tuple(args)), (ndarray,)
                return ndarray.__array_function__(self, function, types, plain, options)
            return computed(function, args, options)

        def __getitem__(self, key: Any) -> Any:
            return computed(operator.getitem, (self, key), {})

        def __setitem__(self, key: Any, value: Any) -> None:
            _lose((self,))
            _plain(self)[_plain(key)] = _plain(value)

        def __iter__(self) -> Any:
            return iter([self[at] for at in range(len(self))])

        def __format__(self, spec: str) -> str:
            from .leaves import apply, formatted

            return formatted(apply(format, (self, spec)))

        @property
        def _sample(self) -> Any:
            return ndarray.view(self, ndarray)

    _define(UnknownArray, ndarray)
    reducers[UnknownArray] = refused
    return UnknownArray


def _define(leaf: Any, ndarray: Any) -> None:
    for name, row in TYPES["numpy.ndarray"].items():
        if name[0] != "_" and callable(found := getattr(ndarray, name, None)):
            setattr(leaf, name, _computing(found) if row.harmless else _changing(found))
    for name in _VIEWS:
        setattr(leaf, name, property(_computing(operator.attrgetter(name))))
    for name, function in _ASKING.items():
        setattr(leaf, f"__{name}__", asking(function))
    for function in (repr, str):
        setattr(leaf, f"__{function.__name__}__", _computing(function))


def _computing(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return computed(function, (self, *args), options)

    return method


def _changing(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        _lose((self,))
        return function(_plain(self), *args, **options)

    return method


def _plain(thing: Any) -> Any:
    if type(thing) in (list, tuple):
        return type(thing)(map(_plain, thing))
    return thing._sample if isinstance(thing, Leaf) else thing


def _set_node(array: Any, node: Node) -> None:
    array._node = node


def _lose(things: Any) -> None:
    for one in things:
        if type(one) in (list, tuple):
            _lose(one)
        elif isinstance(one, Leaf) and is_array(one._sample):
            _set_node(one, LOST)


def computed(function: Any, args: Any, options: dict[str, Any]) -> Any:
    """What NumPy gives for what is not known; into an array, that becomes it."""
    from .leaves import apply

    into = options.pop("out", None)
    made = apply(function, tuple(args), **options)
    if into is None:
        return made
    [target] = into if type(into) is tuple else (into,)
    if not isinstance(target, Leaf):
        return made  # with `+=` that is what its name stands for
    _plain(target)[...] = _plain(made)
    _set_node(target, made._node if isinstance(made, Leaf) else LOST)
    return target


def is_array(sample: object) -> bool:
    """Whether something is an array of numbers."""
    numpy = sys.modules.get("numpy")
    return (
        numpy is not None
        and type(sample) is getattr(numpy, "ndarray", None)
        and not sample.dtype.hasobject  # type: ignore[attr-defined]
    )


def stand_in_array(sample: Any, node: Node) -> Any:
    """What stands for an array."""
    made = sample.view(_array_class())
    made._node = node
    return made
