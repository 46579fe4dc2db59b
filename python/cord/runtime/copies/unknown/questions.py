"""What the program is told that asks for a value which is not there."""

from __future__ import annotations

from sys import _getframe

from cord import _core

from .asking import note_guess
from .nodes import Node, are_lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

# A place is so many lines, each called by the next: between the program's own line and the one that
# asks there are often a client library's methods and what decorates them.
_CALLERS = 8
# The function that runs the rest of another one, whose frame is its argument `frame`.
RUNS_REST = "run_rest"
# What a leader tries before it guesses at a place: it may not return.
before_guessing: list[Callable[[int], None]] = []
# Calls of whose function this place has no sample yet.
of_others: set[int] = set()


def answered(node: Node, question: Callable[[Any], Any], answer: Any) -> Any:
    """What the program is told that asks: what the sample says, or the truth once it is there.

    The copy itself waits for the truth. A leader passes by who asks, if it can.
    """
    here = place()
    if not _core.leads(here):
        return question(node.await_value())
    for instead in before_guessing:
        instead(here)
    if _core.must_wait(here):
        return question(node.await_value())
    note_guess(here, node, question, answer)
    return answer


def is_far(node: Node) -> bool:
    """Whether nothing is to be guessed of it, as its sample is another place's."""
    return not (of_others.isdisjoint(node.numbers) or are_lost(node.numbers))


def asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that asks for what a function gives of the value."""

    def method(self: Any, *args: Any) -> Any:
        node = self._node
        if node.is_known() or is_far(node):
            return function(node.await_value(), *args)
        return answered(node, lambda value: function(value, *args), function(self._sample, *args))

    return method


def itself(answer: Any) -> Any:
    """The question that is answered by the value."""
    return answer


def place() -> int:
    """A number for the line of the program that asks, and those that called it.

    One function of a library may ask for many reasons. The rest of a function that is run by itself
    counts as that function, which has come so far.
    """
    frame: FrameType | None = _getframe(1)
    lines: list[tuple[str, int]] = []
    while frame is not None and len(lines) < _CALLERS:
        if frame.f_globals.get("__package__") != __package__:
            lines.append((frame.f_code.co_filename, frame.f_lineno))
        elif frame.f_code.co_name == RUNS_REST:
            frame = frame.f_locals["frame"]
            assert frame is not None
        frame = frame.f_back
    return hash(tuple(lines)) % 2**63 + 1
