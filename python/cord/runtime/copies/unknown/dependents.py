"""Calls whose arguments are not known yet."""

from __future__ import annotations

import io
import pickle
from types import BuiltinFunctionType, FunctionType, ModuleType

from cord import _core

from .leaf import Leaf
from .leaves import container_node
from .marks import Text
from .nodes import Node, are_lost, is_there, never

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Where they are defined, whoever holds them.
_KEPT = (type, FunctionType, BuiltinFunctionType, ModuleType, _core.RemoteFunction)

# By the number of the call whose value they wait for.
_waiting: dict[int, list[Dependent]] = {}


class _Taker(pickle.Pickler):
    """Takes arguments as they are now, but for what is not known."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.held: list[Any] = []

    def persistent_id(self, thing: Any) -> int | None:
        """The number under which something is kept as it is."""
        kept: Any
        if isinstance(thing, Leaf):
            kept = thing._node
        elif type(thing) is str:
            if _core.MARK not in thing:
                return None
            kept = Text(thing)
        elif isinstance(thing, _KEPT):
            kept = thing
        elif (kept := container_node(thing)) is None:
            return None
        self.held.append(kept)
        return len(self.held) - 1


class _Maker(pickle.Unpickler):
    """Makes the arguments once all is known."""

    held: list[Any]

    def persistent_load(self, number: Any) -> Any:
        """What was kept."""
        kept = self.held[number]
        return kept.value() if isinstance(kept, Node) else kept


class Dependent:
    """A call that is issued when it can be.

    Attributes:
        left: The calls whose values are not there.
    """

    __slots__ = ("_call", "_data", "_held", "left")

    def __init__(self, call: tuple[Any, Any, int], arguments: tuple[Any, Any]) -> None:
        file = io.BytesIO()
        taker = _Taker(file)
        taker.dump(arguments)
        self._call = call
        self._data = file.getvalue()
        self._held = taker.held
        nodes = [one for one in taker.held if isinstance(one, Node)]
        if not nodes:
            raise TypeError("this call cannot be made")
        needed = set().union(*(node.numbers for node in nodes))
        if are_lost(needed):
            raise TypeError("this call cannot be made")
        self.left = {number for number in needed if not is_there(number)}

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
    function: Any, how: object, number: int, args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> bool:
    """Have a call issued when its arguments are known; whether that may ever be.

    Args:
        function: What is called.
        how: The way it is called in.
        number: The call's number among those of the copy.
        args: Its arguments.
        kwargs: Its arguments by name.
    """
    try:
        dependent = Dependent((function, how, number), (args, kwargs))
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
    if number in _waiting:
        is_there(number)  # look at it
    for dependent in _waiting.pop(number, ()):
        dependent.left.discard(number)
        if not dependent.left:
            dependent.issue()
