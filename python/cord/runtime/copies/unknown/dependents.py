"""Calls whose arguments are not known yet."""

from __future__ import annotations

import io
from types import BuiltinFunctionType, FunctionType, ModuleType

from cord import _core
from cord.runtime.travel import faithful, ordered

from .asking import look_at_questions
from .given import compare
from .leaf import Leaf
from .leaves import container_node
from .lists import PlainDict, PlainList
from .marks import Text
from .nodes import Node, are_lost, drafts, is_there, never, signed
from .remembered import sign_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Where they are defined, whoever holds them.
_KEPT = (type, FunctionType, BuiltinFunctionType, ModuleType, _core.RemoteFunction)

# By the number of the call whose value they wait for.
_waiting: dict[int, list[Dependent]] = {}


class _Taker(ordered.Ordered):
    """Takes arguments as they are now, but for what is not known.

    What the program will send tells which texts are one object, and which are interned. So texts
    and bytes are kept themselves, not what is equal to them.
    """

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, 5)
        self.held: list[Any] = []
        self._numbers: dict[int, int] = {}  # by identity: what is one object stays one

    def persistent_id(self, thing: Any) -> Any:
        """The number under which something is kept as it is."""
        found = self._numbers.get(id(thing))
        if found is not None:
            return found
        kept: Any
        if isinstance(thing, Leaf):
            kept = thing._node
        elif type(thing) is str:
            kept = Text(thing) if _core.MARK in thing else thing
        elif type(thing) is bytes or isinstance(thing, _KEPT):
            kept = thing
        elif (kept := container_node(thing)) is None:
            return super().persistent_id(thing)
        number = self._numbers[id(thing)] = len(self.held)
        self.held.append(kept)
        return number

    def reducer_override(self, thing: Any) -> Any:
        """How an object is taken apart: as ever, but names of attributes stay what they are."""
        if isinstance(thing, type):
            return NotImplemented
        if type(thing) is PlainList:
            return list, (), None, iter(thing)
        if type(thing) is PlainDict:
            return dict, (), None, None, iter(thing.items())
        found = faithful.reducers[type(thing)](thing)
        if type(found) is not tuple or not 3 <= len(found) <= 5 or hasattr(thing, "__setstate__"):
            return found
        if type(found[2]) is not dict or type(getattr(thing, "__dict__", None)) is not dict:
            return found
        return *found, *(None,) * (5 - len(found)), _fill


def _fill(thing: Any, attributes: dict[str, Any]) -> None:
    vars(thing).update(attributes)  # unpickling would intern their names


class _Maker(ordered.Reader):
    """Makes the arguments once all is known."""

    held: list[Any]

    def persistent_load(self, kept: Any) -> Any:
        """What was kept: a set, or what has this number."""
        if type(kept) is not int:
            return kept
        kept = self.held[kept]
        return kept.value() if isinstance(kept, Node) else kept


class Dependent:
    """A call that is issued when it can be.

    Attributes:
        left: The calls whose values are not there.
    """

    __slots__ = ("_call", "_data", "_held", "left")

    def __init__(self, call: tuple[Any, Any, int, int], arguments: tuple[Any, Any]) -> None:
        file = io.BytesIO()
        taker = _Taker(file)
        taker.dump(arguments)
        self._call = call
        self._data = file.getvalue()
        self._held = taker.held
        nodes = [one for one in taker.held if isinstance(one, Node)]
        needed = set().union(*(node.numbers for node in nodes))
        if are_lost(needed):
            raise TypeError("this call cannot be made")
        self.left = {number for number in needed if not is_there(number)}
        if (sign := signed(*taker.held)) is not None:
            drafts[call[-1]] = sign_of(_core.name_of(call[0]), self._data, sign)

    def issue(self) -> None:
        """Issue the call; or give it up, if its arguments cannot be told after all."""
        maker = _Maker(io.BytesIO(self._data))
        maker.held = self._held
        try:
            args, kwargs = maker.load()
        except Exception:  # the values are not like the samples
            args = kwargs = None
            never(self._call[-1])
        _core.issue_late(*self._call, args, kwargs)


def depend(
    function: Any,
    how: object,
    counted: int,
    number: int,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
) -> bool:
    """Have a call issued when its arguments are known; whether that may ever be.

    Args:
        function: What is called.
        how: The way it is called in.
        counted: By whom such calls of the program's are counted.
        number: The call's number among those of the copy.
        args: Its arguments.
        kwargs: Its arguments by name.
    """
    try:
        dependent = Dependent((function, how, counted, number), (args, kwargs))
    except Exception:  # the arguments cannot be taken
        never(number)
        return False
    for needed in dependent.left:
        _waiting.setdefault(needed, []).append(dependent)
    if not dependent.left:
        dependent.issue()
    return True


def arrived(number: int) -> None:
    """The value of a call is there, or will never be: issue those that waited for it alone."""
    look_at_questions(number)
    compare(number)
    if number in _waiting:
        is_there(number)  # look at it
    for dependent in _waiting.pop(number, ()):
        dependent.left.discard(number)
        if not dependent.left:
            dependent.issue()
