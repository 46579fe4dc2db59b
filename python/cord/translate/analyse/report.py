"""Reasons why something cannot run ahead, in words for the user."""

from __future__ import annotations

from cord.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value is unknown to a scout: the line where it arises and what is there.

    Attributes:
        line: The program's line; 0 where there is no line to name.
        text: What is there, as part of a sentence.
        callee: The dotted name of the function whose effects are not known, if it is one that the
            user could declare; a method's begins with a dot.
    """

    line: int
    text: str
    callee: str | None = None

    def words(self) -> str:
        """The reason as part of a sentence."""
        return f"line {self.line}: {self.text}" if self.line else self.text


def needs_result(line: int, callee: str) -> Reason:
    """That the result of a call is needed first.

    Args:
        line: The line of the call.
        callee: The dotted name of what is called; a method's begins with a dot.
    """
    return Reason(line, f"it needs the result of {called(callee)}")


def called(callee: str) -> str:
    """What is called, as the program would name it."""
    module, _, name = callee.rpartition(".")
    if module == ":property":
        return name
    return f"{name}()" if name.isidentifier() else "the call"
