"""What cannot be read, and what has no equal: noted while reading, told and kept in the end."""

from __future__ import annotations

from typing import NamedTuple

from lab.notation.source import Source, Span


class Finding(NamedTuple):
    """One of them.

    Attributes:
        offset: Where it is.
        error: Whether something is wrong; else it is right, and has no equal or a condition.
        message: A sentence that says what.
        hint: What to do about it.
        kept: What of the file stays as a comment for it.
    """

    offset: int
    error: bool
    message: str
    hint: str | None
    kept: Span | None


class Findings:
    """All that is found in one file.

    Args:
        source: The file.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: list[Finding] = []

    def error(
        self, offset: int, message: str, hint: str | None = None, kept: Span | None = None
    ) -> None:
        """Notes what cannot be read or contradicts the rest."""
        self._found.append(Finding(offset, True, message, hint, kept))

    def note(
        self, offset: int, message: str, hint: str | None = None, kept: Span | None = None
    ) -> None:
        """Notes what has no equal, or what its equal asks for."""
        self._found.append(Finding(offset, False, message, hint, kept))

    def all(self) -> list[Finding]:
        """All findings, in the order of the file."""
        return sorted(self._found, key=lambda finding: finding.offset)

    def kept(self) -> list[Finding]:
        """Those that keep a piece of the file, once for each piece, and none inside another."""
        chosen: list[Finding] = []
        covered = -1
        kept = [(finding.kept, finding) for finding in self._found if finding.kept is not None]
        for span, finding in sorted(kept, key=_outermost_first):
            if span.end > covered:
                chosen.append(finding)
                covered = span.end
        return chosen


def _outermost_first(kept: tuple[Span, Finding]) -> tuple[int, int, bool]:
    span, finding = kept
    return span.begin, -span.end, not finding.error
