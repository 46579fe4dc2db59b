"""Texts and numbers that a copy does not know yet, and what contains them."""

from __future__ import annotations

import operator
from sys import _getframe

from cord import _core

from . import arrays
from .asking import note_guess
from .leaf import Leaf, Unseen
from .marks import Text, clean, marked
from .nodes import Applied, Node, Reply, are_lost, attribute_of, item_of
from .passing import value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

# A place is so many lines, each called by the next.
_CALLERS = 3
# So many leaves at most stand for one value; the rest of it is as in the sample.
_MOST = 10_000
# Containers that stand for a value, by identity: what they stand for, and what they held at first.
# They are kept, so that identities stay theirs.
containers: dict[int, tuple[Any, Node, tuple[int, ...]]] = {}
# Calls of whose function this place has no sample yet.
of_others: set[int] = set()


class UnknownText(Leaf, str):
    """A text."""

    __slots__ = ("_node", "_sample")

    def __str__(self) -> str:
        return self


class UnknownInt(Leaf, int):
    """A whole number."""


class UnknownFloat(Leaf, float):
    """A number."""

    __slots__ = ("_node", "_sample")


_LEAVES: dict[type, Callable[[Any, Node], Any]] = {
    str: UnknownText,
    int: UnknownInt,
    float: UnknownFloat,
}


def stand_in(number: int, sample: Any, is_far: bool = False) -> Any:
    """What stands for the value of a call.

    Args:
        number: The call's number among those of the copy.
        sample: What another call returned; it is changed.
        is_far: That one was called from another place: nothing is guessed by it.
    """
    if is_far:
        of_others.add(number)
    return _settled(Reply(number), sample, None)


def node_of(thing: Any) -> Any:
    """What a thing stands for; else the thing."""
    if isinstance(thing, Leaf) or type(thing) is Unseen:
        return thing._node
    if type(thing) is str and _core.MARK in thing:
        return Text(thing)
    if (node := container_node(thing)) is not None:
        return node
    if type(thing) in (list, tuple) and any(node_of(one) is not one for one in thing):
        kind = type(thing)
        return Applied(lambda *items: kind(items), tuple(map(node_of, thing)), {})
    return thing


def container_node(thing: Any) -> Node | None:
    """What a container stands for, if nobody has changed it."""
    found = containers.get(id(thing))
    if found is None or found[2] != _held(thing):
        return None
    return found[1]


def _held(container: Any) -> tuple[int, ...]:
    kind = type(container)
    if kind is dict:
        return tuple(map(id, (*container, *container.values())))
    if kind is list or isinstance(container, tuple):
        return tuple(map(id, container))
    return tuple(map(id, (*vars(container), *vars(container).values())))


def _sample_of(thing: Any) -> Any:
    if isinstance(thing, Leaf):
        return thing._node.value() if thing._node.is_known() else thing._sample
    if type(thing) in (list, tuple):
        return type(thing)(map(_sample_of, thing))
    if type(thing) is str and _core.MARK in thing:
        return clean(thing)
    return thing


def apply(function: Callable[..., Any], operands: tuple[Any, ...], **options: Any) -> Any:
    """What a function gives of leaves: the value, if that is known, or what stands for it.

    Args:
        function: It must change nothing.
        operands: Its arguments, leaves or lists of such among them.
        **options: The same, by name.
    """
    nodes = tuple(map(node_of, operands))
    node = Applied(function, nodes, {name: node_of(one) for name, one in options.items()})
    if node.is_known():
        return node.value()
    if any(type(one) is Unseen for one in (*operands, *options.values())):
        return Unseen(node)
    try:
        sample = function(
            *map(_sample_of, operands), **{name: _sample_of(one) for name, one in options.items()}
        )
    except Exception as error:
        return _settled(node, None, error)
    return _settled(node, sample, None)


def _settled(node: Node, sample: Any, error: Exception | None) -> Any:
    """What the program goes on with."""
    if sample is NotImplemented:
        return sample
    leaf = _LEAVES.get(type(sample))
    # who asks for single letters reads the text
    if leaf is not None and error is None and not (leaf is UnknownText and len(sample) == 1):
        return leaf(sample, node)
    is_asked = not isinstance(node, Reply)
    # the value may well be of another kind
    if node.is_known():
        return node.value()
    if error is not None:
        return Unseen(node)
    if _is_far(node) or _core.must_wait(here := place(), is_asked):
        return Unseen(node, type(sample))
    if is_asked:
        note_guess(here, node, _itself, sample)
    return _shape(sample, node, [_MOST])


def _is_far(node: Node) -> bool:
    """Whether nothing is to be guessed of it, as its sample is another place's."""
    return not (of_others.isdisjoint(node.numbers) or are_lost(node.numbers))


def _itself(answer: Any) -> Any:
    return answer


def place() -> int:
    """A number for the line of the program that asks, and those that called it.

    One function of a library may ask for many reasons.
    """
    frame: FrameType | None = _getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    lines: list[tuple[str, int]] = []
    while frame is not None and len(lines) < _CALLERS:
        lines.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return hash(tuple(lines)) % 2**63 + 1


def _shape(sample: Any, node: Node, left: list[int]) -> Any:
    """A sample with leaves in place of the texts and numbers in it."""
    kind = type(sample)
    leaf = _LEAVES.get(kind)
    if leaf is not None:
        left[0] -= 1
        return leaf(sample, node)
    if left[0] <= 0 or id(sample) in containers:
        return sample
    if kind in (list, dict) or _has_attributes(sample):
        containers[id(sample)] = (sample, node, ())  # it may hold itself
    if kind is list:
        for at, item in enumerate(sample):
            sample[at] = _shape(item, item_of(node, at), left)
    elif kind is dict:
        for key, item in sample.items():
            sample[key] = _shape(item, item_of(node, key), left)
    elif isinstance(sample, tuple):
        items = [_shape(item, item_of(node, at), left) for at, item in enumerate(sample)]
        try:
            sample = tuple(items) if kind is tuple else kind._make(items)
        except AttributeError:
            return sample
    elif arrays.is_array(sample):
        return arrays.stand_in_array(sample, node)
    elif not _has_attributes(sample):
        return sample
    else:
        for name, item in list(vars(sample).items()):
            vars(sample)[name] = _shape(item, attribute_of(node, name), left)
    containers[id(sample)] = (sample, node, _held(sample))
    return sample


def _has_attributes(sample: Any) -> bool:
    return type(getattr(sample, "__dict__", None)) is dict and not callable(sample)


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Leaf, *args: Any, **kwargs: Any) -> Any:
        return apply(function, (self, *args), **kwargs)

    return method


def _conversion(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of which the interpreter wants a plain value."""

    def method(self: Leaf) -> Any:
        here = place()
        if self._node.is_known() or _is_far(self._node):
            return function(value_of(self._node, here))
        try:
            answer = function(self._sample)
        except Exception:  # the value may well be of another kind
            return function(value_of(self._node, here))
        if _core.must_wait(here, True):
            return function(value_of(self._node, here))
        note_guess(here, self._node, function, answer)
        return answer

    return method


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Leaf, other: Any) -> Any:
        return apply(function, (other, self))

    return method


def _formatted(self: Leaf, spec: str) -> str:
    is_whole = spec == "" and isinstance(self, UnknownText)
    text: Any = self if is_whole else apply(format, (self, spec))
    if type(text) is UnknownText:  # it goes into another one, and is to be found in there
        return marked(text._sample, text._node)
    return text  # type: ignore[no-any-return]


def _pieces(self: UnknownText) -> Any:
    return iter(apply(list, (self,)))


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift")
_LOGICAL = ("and", "or", "xor")
_COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
_CONVERSIONS: dict[str, Callable[..., Any]] = {
    "__hash__": hash,
    "__bool__": bool,
    "__len__": len,
    "__int__": int,
    "__float__": float,
    "__index__": operator.index,
}
# How a class makes, describes and keeps its objects, which is not a question about the value.
_OWN = {
    *("__new__", "__init__", "__class__", "__getattribute__", "__setattr__", "__delattr__"),
    *("__reduce__", "__reduce_ex__", "__getnewargs__", "__getstate__", "__copy__", "__deepcopy__"),
    *("__init_subclass__", "__subclasshook__", "__dir__", "__doc__", "__sizeof__", "__format__"),
    *("__str__", "__iter__", "__getformat__", "__setformat__", "fromhex", "from_bytes"),
    *("maketrans", "__dict__", "__slots__", "__weakref__", "__module__"),
}


def _define(leaf: type, kind: type) -> None:
    """Gives a leaf the methods of the type that it stands for."""
    named: dict[str, Callable[..., Any]] = {}
    for name in set(dir(kind)) - _OWN:
        found = getattr(kind, name, None)
        if callable(found):
            named[name] = _method(found)
    for name in (*_BINARY, *(_LOGICAL if kind is int else ())):
        function = getattr(operator, f"{name.rstrip('_')}_", None) or getattr(operator, name)
        if hasattr(kind, f"__{name}__"):
            named[f"__{name}__"] = _method(function)
            named[f"__r{name}__"] = _reflected(function)
    for name in _COMPARISONS:
        named[f"__{name}__"] = _method(getattr(operator, name))
    for name, function in _CONVERSIONS.items():
        named[name] = _conversion(function)
    for name in ("__index__",) if kind is str else ("__len__",):
        del named[name]
    named["__format__"] = _formatted
    for name, method in named.items():
        if name not in leaf.__dict__:
            setattr(leaf, name, method)


_define(UnknownText, str)
_define(UnknownInt, int)
_define(UnknownFloat, float)
UnknownText.__iter__ = _pieces  # type: ignore[method-assign,assignment]
UnknownInt.__str__ = UnknownFloat.__str__ = _method(str)  # type: ignore[method-assign]
