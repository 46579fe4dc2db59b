"""What the program is told that asks for a value which is not there."""

from __future__ import annotations

from sys import _getframe

from cord import _core

from .asking import guessed, note_question
from .nodes import Applied, Node, Reply, are_lost
from .remembered import known, number_of

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
# What functions of the project have given for the values of calls, by the numbers of these.
stand_ins: dict[int, Any] = {}
# Set in a place where the answer is more than a guess by the last result.
_FOUNDED = 1 << 62


def answered(node: Node, question: Callable[[Any], Any], *samples: Any) -> Any:
    """What the program is told that asks: the truth once it is there, or in a leader a guess.

    That is what was answered before, in this run or the last one, or what the sample says. The copy
    itself waits for the truth. A leader rather passes by who asks than to go by the last result.

    Args:
        node: What is asked.
        question: What it is asked.
        *samples: What its sample answers, if that answers anything.
    """
    here = place()
    before = known(here, node)
    is_founded = before or not stand_ins.keys().isdisjoint(node.numbers)
    at = here | _FOUNDED if is_founded else here
    for answer in (*before, *samples)[:1]:
        if not _core.leads(at):
            break
        for instead in before_guessing:
            instead(at)
        if not _core.must_wait(at):
            note_question(here, node, question, guessed(at, answer))
            return answer
    note_question(here, node, question)
    return question(node.await_value())


def is_far(node: Node) -> bool:
    """Whether nothing is to be guessed of it, as its sample is another place's."""
    return not (of_others.isdisjoint(node.numbers) or are_lost(node.numbers))


def asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that asks for what a function gives of the value."""

    def method(self: Any, *args: Any) -> Any:
        node = self._node
        if node.is_known():
            return function(node.value(), *args)
        samples = () if is_far(node) else (function(self._sample, *args),)
        return answered(Applied(function, (node, *args), {}), itself, *samples)

    return method


def stands_for(node: Node) -> tuple[Any, ...]:
    """What a function of the project has given for what a call returns; empty for nothing."""
    if type(node) is Reply and node.number in stand_ins:
        return (stand_ins[node.number],)
    return ()


def itself(answer: Any) -> Any:
    """The question that is answered by the value."""
    return answer


def place() -> int:
    """A number for the line that asks, or calls a remote function, and those that called it.

    One function of a library may do so for many reasons. The rest of a function that is run by
    itself counts as that function, which has come so far.
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
    return number_of(*lines) % (_FOUNDED - 1) + 1
