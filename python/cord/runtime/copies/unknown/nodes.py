"""Expressions over values that calls will return."""

from __future__ import annotations

from operator import add, getitem
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    WrapperDescriptorType,
)

from cord import _core

from .remembered import sign_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# What is tried before a copy waits for something: it may not return.
before_waiting: list[Callable[[], None]] = []
# what tells calls from others whose arguments are not known yet, by their numbers
drafts: dict[int, bytes] = {}
_LONGEST = 64  # of texts in signs
_NAMED = (*(type, FunctionType, BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType),)
# what calls have returned, by their numbers; and calls that nobody issued
_values: dict[int, Any] = {}
_never: set[int] = set()


def never(number: int) -> None:
    """The copy knows nothing of what this call returns, ever."""
    _never.add(number)


def _wait() -> None:
    for instead in before_waiting:
        instead()


class Node:
    """Something that will be known.

    Attributes:
        numbers: The calls whose values it takes to tell.
        prefix: How it begins, if it is a text and that is known.
        sign: What tells it from others, from run to run; None if that is not known.
    """

    __slots__ = ("_value", "numbers", "prefix")
    sign: bytes | None = None

    def __init__(self, numbers: frozenset[int]) -> None:
        self.numbers = numbers
        self.prefix = ""

    def is_known(self) -> bool:
        """Whether all that it takes is there."""
        if all(map(is_there, self.numbers)):
            return True
        _core.look()
        return all(map(is_there, self.numbers))

    def value(self) -> Any:
        """What it is, computed once; call it only if all is there."""
        try:
            return self._value
        except AttributeError:
            self._value: Any = self._compute()
            return self._value

    def await_value(self) -> Any:
        """What it is, once that can be told."""
        if not self.is_known():
            _wait()
        for number in sorted(self.numbers):
            if number in _never:
                _core.end_copy()
            while number not in _values:
                if (found := _core.awaited(number)) is None:
                    _wait()
                else:
                    [_values[number]] = found
        return self.value()

    def _compute(self) -> Any:
        raise NotImplementedError


def are_lost(numbers: Iterable[int]) -> bool:
    """Whether nothing is ever known of one of these calls."""
    return not _never.isdisjoint(numbers)


def is_there(number: int) -> bool:
    """Whether the value of a call has been seen to be there."""
    if number in _values:
        return True
    if number in _never:
        return False
    found = _core.value_now(number)
    if found is None:
        return False
    [_values[number]] = found
    return True


class Reply(Node):
    """What a call returns."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        super().__init__(frozenset((number,)))
        self.number = number

    @property
    def sign(self) -> bytes | None:  # type: ignore[override]
        """What tells the call from others."""
        digest = _core.digest_of(self.number)
        return drafts.get(self.number) if digest is None else sign_of("call", digest)

    def _compute(self) -> Any:
        return _values[self.number]


# What nobody will ever tell.
_NOBODY = 2**32 - 1
LOST = Reply(_NOBODY)
never(_NOBODY)


# Of a text, the beginning of what these give is what they give of its beginning, but for blanks.
_KEEPING = (str.strip, str.lstrip, str.rstrip, str.lower, str.upper, str.casefold)


class Applied(Node):
    """What a function gives.

    Args:
        function: It must change nothing.
        operands: Nodes, or values as they are.
        options: The same, by name.
    """

    __slots__ = ("function", "operands", "options", "sign")

    def __init__(
        self, function: Callable[..., Any], operands: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        parts = [one for one in (*operands, *options.values()) if isinstance(one, Node)]
        super().__init__(frozenset().union(*(part.numbers for part in parts)))
        self.function = function
        self.operands = operands
        self.options = options
        self.sign = signed(function, *operands, *options.items())

    def note_prefix(self) -> None:
        """See how it begins, if it is a text that is made of one of which that is known."""
        first, *others = self.operands or (None,)
        if self.function is add:
            self.prefix = first if type(first) is str else getattr(first, "prefix", "")
            return
        prefix = getattr(first, "prefix", "")
        if not prefix:
            return
        if self.function in _KEEPING and not others:
            self.prefix = self.function(prefix).rstrip()
        elif self.function is getitem and type(others[0]) is slice:
            start, stop, step = others[0].start, others[0].stop, others[0].step
            if type(start) is int and start >= 0 and stop is None and step is None:
                self.prefix = prefix[start:]

    def _compute(self) -> Any:
        operands = [_known(one) for one in self.operands]
        return self.function(*operands, **{name: _known(one) for name, one in self.options.items()})


def signed(*parts: Any) -> bytes | None:
    """What tells an expression from others, by its parts; None if that is not known of one."""
    signs = tuple(map(_part, parts))
    return None if None in signs else sign_of(*signs)


def _part(part: Any) -> Any:
    """None for what is not known."""
    kind = type(part)
    if issubclass(kind, Node):
        return part.sign
    if kind in (str, bytes):
        return (kind.__name__, part if len(part) <= _LONGEST else sign_of(part))
    if kind in (int, float, bool, type(None)):
        return (kind.__name__, part)
    if kind is slice:
        return ("slice", str(part))
    if kind is tuple:
        items = tuple(map(_part, part))
        return None if None in items else items
    return kind.__name__, part.__qualname__ if kind in _NAMED else ""


def _known(operand: Any) -> Any:
    return operand.value() if isinstance(operand, Node) else operand


def item_of(node: Node, key: Any) -> Applied:
    """The item of a node under a key."""
    return Applied(getitem, (node, key), {})


def attribute_of(node: Node, name: str) -> Applied:
    """The attribute of a node."""
    return Applied(getattr, (node, name), {})
