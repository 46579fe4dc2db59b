"""Where the program asks for a value that is not there, and what was guessed for it."""

from __future__ import annotations

import os
from sys import _getframe

from cord import _core

from .nodes import is_there
from .remembered import found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from .nodes import Node

_LIBRARIES = os.path.dirname(os.__file__)
_PACKAGES = frozenset({"site-packages", "dist-packages"})
_LONGEST = 40
# What was told: lines where it waited, and places where it had guessed wrong.
_told: set[str] = set()
_wrong: set[int] = set()
_lines: dict[int, str] = {}  # of places
# What was asked, by the calls whose values tell: where, what, the question; and what was guessed.
_asked: dict[int, list[tuple[int, Node, Callable[[Any], Any], tuple[int, str] | None]]] = {}


def asking() -> str | None:
    """The innermost line of the program's own code; None if it was told before."""
    line = _line()
    if line in _told:
        return None
    _told.add(line)
    return line


def note_question(
    place: int,
    node: Node,
    question: Callable[[Any], Any],
    guess: tuple[int, str] | None = None,
) -> None:
    """Remember what was asked, until that is known.

    Args:
        place: Where, by number.
        node: What was asked.
        question: What it was asked.
        guess: What was guessed, if anything was, as `guessed` gives it.
    """
    for number in node.numbers:
        if not is_there(number):
            _asked.setdefault(number, []).append((place, node, question, guess))


def guessed(place: int, answer: Any) -> tuple[int, str]:
    """Tell that this is guessed at a place."""
    if place not in _lines:
        _lines[place] = _line()
        _core.guesses_at(place, _lines[place])
    return place, _words(answer)


def look_at_questions(number: int) -> None:
    """The value of a call is there: tell what is answered, and which guesses were wrong."""
    for place, node, question, guess in _asked.pop(number, ()):
        if not all(map(is_there, node.numbers)):
            continue
        try:
            answer = question(node.value())
        except Exception as error:
            truth = f"a {type(error).__name__}"
        else:
            truth = _words(answer)
            found(place, node, answer)
        if guess is not None and guess[0] not in _wrong and truth != guess[1]:
            _wrong.add(guess[0])
            words = f"{_lines[guess[0]]}: {guess[1]} was guessed, and it was {truth}"
            _core.was_wrong(guess[0], words)


def _words(answer: Any) -> str:
    """A short text by which answers can be told apart."""
    kind = type(answer)
    if kind in (list, tuple, dict, set):
        return f"a {kind.__name__} of {len(answer)}"
    if kind in (str, bytes, int, float, bool, type(None)):
        text = repr(answer)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    return f"a {kind.__name__}"


def _line() -> str:
    """The innermost line of the program's own code.

    Where no library's caller is the program's own, it is the innermost line outside of Cord.
    """
    frames = [frame for frame in outwards() if not _is_of_cord(frame)]
    for frame in [frame for frame in frames if is_own(frame)] or frames:
        return line_of(frame)
    return "the program's end"


def line_of(frame: FrameType) -> str:
    """The line that a frame is at, in words."""
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def outwards() -> list[FrameType]:
    """The frames of this thread, from the caller's on."""
    frame: FrameType | None = _getframe(1)
    found: list[FrameType] = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


def is_own(frame: FrameType) -> bool:
    """Whether it runs the program's own code."""
    return can_be_passed(frame) and not _is_of_package(frame.f_code.co_filename)


def can_be_passed(frame: FrameType) -> bool:
    """Whether it runs code of the program's own, or of a package that is installed."""
    return not _is_of_cord(frame) and not is_standard(frame.f_code.co_filename)


def is_standard(file: str) -> bool:
    """Whether a file is of Python's standard library."""
    return file.startswith(_LIBRARIES) and not _is_of_package(file)


def _is_of_package(file: str) -> bool:
    return not _PACKAGES.isdisjoint(file.split(os.sep))


def _is_of_cord(frame: FrameType) -> bool:
    package = frame.f_globals.get("__package__")
    return type(package) is str and (package == "cord" or package.startswith("cord."))
