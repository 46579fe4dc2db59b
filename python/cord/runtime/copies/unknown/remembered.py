"""What questions about values were answered, in this run or the last one.

Kept are digests of questions, and answers that say next to nothing of a value: a truth value,
None, or a small number. A question is a place in the code, and what is asked there of what: the
expression over the calls that it takes, with what tells each of these from others.
"""

from __future__ import annotations

from importlib.util import source_hash

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .nodes import Node

# The place of what is no question of the program's: whether a call returns a truth value or None.
VALUE = 0
_SPECIAL = (None, False, True)
_LARGEST = 1 << 15
# What is another thing in each run.
_UNSTABLE = frozenset({hash, id, iter, next})


def known(place: int, node: Node) -> tuple[Any, ...]:
    """What a question was answered before; empty if that is not known.

    Args:
        place: Where it is asked, by number.
        node: What is asked.
    """
    question = _question(place, node)
    answer = None if question is None else _core.answer_of(question)
    if answer is None:
        return ()
    return (_SPECIAL[answer] if answer < len(_SPECIAL) else answer - len(_SPECIAL) - _LARGEST,)


def found(place: int, node: Node, answer: Any) -> None:
    """Remember what a question is answered, if that is small."""
    if answer is None or type(answer) is bool:
        number = _SPECIAL.index(answer)
    elif type(answer) is int and abs(answer) <= _LARGEST and place != VALUE:
        number = answer + _LARGEST + len(_SPECIAL)
    else:
        return
    question = _question(place, node)
    if question is not None:
        _core.is_answered(question, number)


def _question(place: int, node: Node) -> int | None:
    if node.sign is None or getattr(node, "function", None) in _UNSTABLE:
        return None
    return number_of(place, node.sign)


def sign_of(*parts: object) -> bytes:
    """A digest that is the same in each run."""
    return source_hash(repr(parts).encode())


def number_of(*parts: object) -> int:
    """The same as a number, which is not 0."""
    return int.from_bytes(sign_of(*parts), "little") or 1
