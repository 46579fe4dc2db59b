"""Reasons why something cannot run ahead, in words for the user."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value is unknown to a scout: the line where it arises and what is there."""

    line: int
    text: str
    remedy: str | None = None

    def words(self) -> str:
        """The reason as part of a sentence."""
        return f"line {self.line}: {self.text}"
