"""Texts and numbers that a copy does not know yet, and what contains them."""

from __future__ import annotations

import operator
from contextlib import suppress

from cord import _core

from . import arrays
from .asking import note_question
from .leaf import Leaf, Unseen
from .lists import UnknownDict, UnknownList
from .marks import LostError, Text, clean, marked, prefix_of
from .nodes import LOST, Applied, Node, Reply, attribute_of, item_of
from .questions import answered, is_far, itself, of_others, stands_for
from .remembered import VALUE, known
from .things import UnknownThing, is_thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# So many leaves at most stand for one value; the rest of it is as in the sample.
_MOST = 10_000
# Containers that stand for a value, by identity: what they stand for, and what they held at first.
# They are kept, so that identities stay theirs.
containers: dict[int, Any] = {}
_MARK = _core.MARK.encode()


class UnknownText(Leaf, str):  # noqa: PLW1641  # its hash is defined with the rest
    """A text. What C code reads of it has its mark, so that it is found in what becomes of it."""

    __slots__ = ("_node", "_sample")

    def __new__(cls, sample: str, node: Node) -> UnknownText:
        """What stands for `node`, and is like the sample."""
        made = str.__new__(cls, marked(sample, node))
        made._sample, made._node = sample, node
        return made

    def __str__(self) -> str:
        return self

    def __getitem__(self, key: Any) -> Any:
        known = known_item(prefix_of(self._node), key)
        if known is not None:
            return known
        found = apply(operator.getitem, (self, key))
        if type(key) is int and isinstance(found, UnknownText) and not is_far(found._node):
            return answered(found._node, itself, found._sample)  # who asks for letters reads it
        return found

    def __bool__(self) -> bool:
        return bool(prefix_of(self._node)) or _asked_bool(self)

    def __eq__(self, other: object) -> Any:
        if type(other) is str and not other.startswith(prefix_of(self._node)):
            return False
        return apply(operator.eq, (self, other))

    def __ne__(self, other: object) -> Any:
        if type(other) is str and not other.startswith(prefix_of(self._node)):
            return True
        return apply(operator.ne, (self, other))

    def startswith(self, *args: Any) -> Any:
        """As of a text; what is known of its beginning is no question."""
        prefix = prefix_of(self._node)
        if len(args) == 1 and type(args[0]) is str and prefix:
            [start] = args
            if len(start) <= len(prefix) or not start.startswith(prefix):
                return prefix.startswith(start)
        return apply(str.startswith, (self, *args))


class UnknownBytes(Leaf, bytes):
    """Bytes."""

    def __new__(cls, sample: bytes, node: Node) -> UnknownBytes:
        """What stands for `node`, and is like the sample."""
        made = bytes.__new__(cls, sample + _MARK)
        made._sample, made._node = sample, node
        return made

    def __bytes__(self) -> bytes:
        return self


class UnknownInt(Leaf, int):
    """A whole number."""


class UnknownFloat(Leaf, float):
    """A number."""

    __slots__ = ("_node", "_sample")


_LEAVES: dict[type, Callable[[Any, Node], Any]] = {
    str: UnknownText,
    bytes: UnknownBytes,
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
    node = Reply(number)
    if is_far:
        of_others.add(number)
    elif sample is None or type(sample) is bool:
        note_question(VALUE, node, itself)
        if type(sample) is bool and stands_for(node):
            return Unseen(node, bool)
        [sample] = known(VALUE, node) or (sample,)
    return _settled(node, sample, None)


def node_of(thing: Any) -> Any:
    """What a thing stands for; else the thing."""
    if isinstance(thing, Leaf):
        return thing._node
    if type(thing) is str and _core.MARK in thing:
        return Text(thing)
    if (node := container_node(thing)) is not None:
        return node
    kind = type(thing)
    if kind in (list, tuple):
        nodes = tuple(map(node_of, thing))
        if any(new is not old for new, old in zip(nodes, thing, strict=True)):
            return Applied(lambda *items: kind(items), nodes, {})
    elif kind is dict:
        nodes = tuple(map(node_of, thing.values()))
        if any(new is not old for new, old in zip(nodes, thing.values(), strict=True)):
            keys = tuple(thing)
            return Applied(lambda *items: dict(zip(keys, items, strict=True)), nodes, {})
    return thing


def container_node(thing: Any) -> Node | None:
    """What a container stands for, if nobody has changed it."""
    found = containers.get(id(thing))
    if found is None or isinstance(found, Leaf) or found[2] != _held(thing):
        return None
    node: Node = found[1]
    return node


def _held(container: Any) -> tuple[int, ...]:
    if isinstance(container, tuple):
        return tuple(map(id, container))
    return tuple(map(id, (*vars(container), *vars(container).values())))


def sample_of(thing: Any) -> Any:
    """What something is where all is as the samples have it, as far as that is known."""
    if isinstance(thing, Leaf):
        return thing._node.value() if thing._node.is_known() else thing._sample
    if type(thing) in (list, tuple):
        return type(thing)(map(sample_of, thing))
    if type(thing) is dict:
        return {key: sample_of(value) for key, value in thing.items()}
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
    node: Any = Applied(function, nodes, {name: node_of(one) for name, one in options.items()})
    if node.is_known():
        try:
            return node.value()
        except LostError:
            node = LOST  # what is made of it is not known, ever
    else:
        node.note_prefix()
    if any(type(one) is Unseen for one in (*operands, *options.values())):
        return Unseen(node)
    try:
        sample = function(
            *map(sample_of, operands), **{name: sample_of(one) for name, one in options.items()}
        )
    except Exception as error:
        return _settled(node, None, error)
    return _settled(node, sample, None)


def _settled(node: Node, sample: Any, error: Exception | None) -> Any:
    """What the program goes on with."""
    if sample is NotImplemented:
        return sample
    kind = type(sample)
    # the value may well be of another kind
    if node.is_known():
        return node.value()
    if error is not None:
        return Unseen(node)
    if kind in _LEAVES:
        return _LEAVES[kind](sample, node)
    is_reply = isinstance(node, Reply)
    if (
        kind in (list, dict)
        or (is_reply and not is_far(node))
        or (not is_reply and _has_form(sample))
    ):
        return _shape(sample, node, [_MOST])
    if is_far(node):
        return Unseen(node, kind)
    return answered(node, itself, sample)


def _shape(sample: Any, node: Node, left: list[int]) -> Any:
    """A sample with leaves in place of the texts and numbers in it."""
    kind = type(sample)
    leaf = _LEAVES.get(kind)
    if leaf is not None:
        left[0] -= 1
        return leaf(sample, node)
    if isinstance(found := containers.get(id(sample)), Leaf):
        return found
    if left[0] <= 0 or found is not None:
        return sample
    if kind is list:
        made: Any = UnknownList(sample, node)
        containers[id(sample)] = made  # it may hold itself
        made.fill(_shape(item, item_of(node, at), left) for at, item in enumerate(sample))
        return made
    if kind is dict:
        made = containers[id(sample)] = UnknownDict(sample, node)
        made.fill({key: _shape(item, item_of(node, key), left) for key, item in sample.items()})
        return made
    if is_thing(sample):
        return UnknownThing(sample, node)
    if _has_attributes(sample):
        containers[id(sample)] = (sample, node, ())
    if isinstance(sample, tuple):
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


def shaped(sample: Any, node: Node) -> Any:
    """What stands for a value that looks like the sample."""
    containers.pop(id(sample), None)
    return _shape(sample, node, [_MOST])


def _has_form(sample: Any) -> bool:
    """Whether something can stand for such a value, without a question."""
    is_known = isinstance(sample, tuple) or is_thing(sample) or arrays.is_array(sample)
    return is_known or _has_attributes(sample)


def _has_attributes(sample: Any) -> bool:
    return type(getattr(sample, "__dict__", None)) is dict and not callable(sample)


def computing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that gives what stands for what a function gives."""

    def method(self: Leaf, *args: Any, **kwargs: Any) -> Any:
        return apply(function, (self, *args), **kwargs)

    return method


def _conversion(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of which the interpreter wants a plain value."""

    def method(self: Leaf) -> Any:
        node = self._node
        if node.is_known():
            return function(node.value())
        samples = []
        with suppress(Exception):  # the value may well be of another kind
            samples = [] if is_far(node) else [function(self._sample)]
        return answered(Applied(function, (node,), {}), itself, *samples)

    return method


def reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same of an operator's right side."""

    def method(self: Leaf, other: Any) -> Any:
        return apply(function, (other, self))

    return method


def _formatted(self: Leaf, spec: str) -> str:
    is_whole = spec == "" and isinstance(self, UnknownText)
    return formatted(self if is_whole else apply(format, (self, spec)))


def formatted(text: Any) -> str:
    """As it goes into another text."""
    if type(text) is UnknownText:  # it goes into another one, and is to be found in there
        return marked(text._sample, text._node)
    return text  # type: ignore[no-any-return]


def known_item(prefix: str, key: Any) -> str | None:
    """What lies within what is known of a text, that is its first part."""
    if type(key) is int:
        return prefix[key] if 0 <= key < len(prefix) else None
    if type(key) is not slice or key.step is not None or type(key.stop) is not int:
        return None
    is_within = 0 <= key.stop <= len(prefix) and (key.start is None or key.start >= 0)
    return prefix[key] if is_within else None


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
    *(
        "__str__",
        "__bytes__",
        "__buffer__",
        "__release_buffer__",
        "fromhex",
        "__iter__",
        "__getformat__",
        "__setformat__",
        "from_bytes",
    ),
    *("maketrans", "__dict__", "__slots__", "__weakref__", "__module__"),
}


def _define(leaf: type, kind: type) -> None:
    """Gives a leaf the methods of the type that it stands for."""
    named: dict[str, Callable[..., Any]] = {}
    for name in set(dir(kind)) - _OWN:
        found = getattr(kind, name, None)
        if callable(found):
            named[name] = computing(found)
    for name in (*_BINARY, *(_LOGICAL if kind is int else ())):
        function = getattr(operator, f"{name.rstrip('_')}_", None) or getattr(operator, name)
        if hasattr(kind, f"__{name}__"):
            named[f"__{name}__"] = computing(function)
            named[f"__r{name}__"] = reflected(function)
    for name in _COMPARISONS:
        named[f"__{name}__"] = computing(getattr(operator, name))
    for name, function in _CONVERSIONS.items():
        named[name] = _conversion(function)
    for name in ("__index__",) if kind in (str, bytes) else ("__len__",):
        del named[name]
    named["__format__"] = _formatted
    for name, method in named.items():
        if name not in leaf.__dict__:
            setattr(leaf, name, method)


_asked_bool = _conversion(bool)
_define(UnknownText, str)
_define(UnknownBytes, bytes)
_define(UnknownInt, int)
_define(UnknownFloat, float)
UnknownText.__iter__ = UnknownBytes.__iter__ = _pieces  # type: ignore[method-assign,assignment]
UnknownInt.__str__ = UnknownFloat.__str__ = computing(str)  # type: ignore[method-assign]
