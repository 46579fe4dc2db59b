"""How what is not known at all computes: it gives expressions."""

from __future__ import annotations

import operator
import sys

from cord import _core

from .leaf import Unseen, kind_of
from .leaves import apply, computing, reflected
from .marks import marked
from .nodes import Applied, Node, Reply, are_lost
from .questions import answered, itself, place, stands_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def unseen_reply(number: int) -> Unseen:
    """What stands for the value of a call whose function has returned nothing yet.

    Args:
        number: The call's number among those of the copy.
    """
    return Unseen(Reply(number))


_BINARY = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift"),
    *("and", "or", "xor"),
)
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in ("neg", "pos", "abs", "invert", "lt", "le", "eq", "ne", "gt", "ge", "getitem")
} | {"round": round}
_QUESTIONS: dict[str, Callable[..., Any]] = {
    "bool": bool,
    "len": len,
    "iter": iter,
    "next": next,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "hash": hash,
    "contains": operator.contains,
}


# What changes what it is asked of, or gives something that is changed.
_TAKING = (iter, next)


def _question(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Unseen, *args: Any) -> Any:
        node = self._node
        if function in _TAKING or node.is_known():
            return function(node.await_value(), *args)
        samples = (function(one, *args) for one in stands_for(node))
        return answered(Applied(function, (node, *args), {}), itself, *samples)

    return method


def _attribute(self: Unseen, name: str) -> Any:
    if name == "_sample" or (name.startswith("__") and name.endswith("__")):
        raise AttributeError(name)  # there is none; and it is no special kind of object
    if name == "dtype":  # NumPy asks for that of what this would give, and so on
        return self._node.await_value().dtype
    return apply(getattr, (self, name))


def _call(self: Unseen, *args: Any, **kwargs: Any) -> Any:
    return apply(_called, (self, *args), **kwargs)


def _called(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _text(self: Unseen, _spec: str = "") -> str:
    return marked("", self._node) if not _spec else marked("", apply(format, (self, _spec))._node)


def _ignored(self: Unseen, *_args: object) -> None:
    """Who changes it is not told what of."""


def _ask_in_json(encoder: Any) -> None:
    """Have JSON, which has an error for objects that it does not know, ask for what it is."""
    default = encoder.default

    def in_json(self: Any, thing: Any) -> Any:
        value = thing._node.await_value() if type(thing) is Unseen else thing
        return value if value is not thing else default(self, thing)

    encoder.default = in_json


def _kind(node: Node) -> type:
    """The class of the value, in the copy itself; a leader goes on without it."""
    if are_lost(node.numbers) or (not node.is_known() and _core.leads(place())):
        return Unseen
    return type(node.await_value())


def define() -> None:
    """Give it its methods."""
    kind_of[:] = [_kind]
    named = {f"__{name}__": computing(function) for name, function in _FUNCTIONS.items()}
    for name in _BINARY:
        function = getattr(operator, f"__{name}__")
        named[f"__{name}__"] = computing(function)
        named[f"__r{name}__"] = reflected(function)
    for name, function in _QUESTIONS.items():
        named[f"__{name}__"] = _question(function)
    for name in ("setattr", "delattr", "setitem", "delitem", "exit"):
        named[f"__{name}__"] = _ignored
    named |= {"__getattr__": _attribute, "__call__": _call, "__enter__": lambda self: self}
    named |= {"__str__": _text, "__repr__": _text, "__format__": _text}
    for name, method in named.items():
        setattr(Unseen, name, method)
    if (json := sys.modules.get("json.encoder")) is not None:
        _ask_in_json(json.JSONEncoder)
