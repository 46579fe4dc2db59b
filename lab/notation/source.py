"""The text that is imported, and places in it.

Positions are offsets in the text, everywhere; only what is shown has lines and columns.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of the text.

    Attributes:
        begin: The offset of its first character.
        end: The offset after its last one.
    """

    begin: int
    end: int


class Source:
    """A file in the notation.

    Args:
        path: Its path, for messages.
        text: What it holds.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]

    def place(self, offset: int) -> str:
        """The position as `PATH:LINE:COLUMN`, both from 1, columns in characters."""
        return f"{self.path}:{self.position(offset)}"

    def position(self, offset: int) -> str:
        """The position as `LINE:COLUMN`."""
        line = bisect_right(self._lines, offset)
        return f"{line}:{offset - self._lines[line - 1] + 1}"

    def lines(self, span: Span) -> list[str]:
        """The lines of a piece, without blank ones and without the indentation they share."""
        before = self.text[self._lines[bisect_right(self._lines, span.begin) - 1] : span.begin]
        first, *rest = self.text[span.begin : span.end].expandtabs().splitlines() or [""]
        indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
        # the first line stands where it stands; the others hang from it
        margin = min([len(before.expandtabs()), *indents])
        return [first.rstrip(), *(line[margin:].rstrip() for line in rest if line.strip())]


class Text:
    """What a string in double quotes holds.

    Attributes:
        value: The text, without quotes and escapes.
        begin: Where in the file its opening quote stands.
    """

    def __init__(self, value: str, begin: int, offsets: list[int]) -> None:
        self.value = value
        self.begin = begin
        self._offsets = offsets

    def offset(self, position: int) -> int:
        """Where in the file the character at `position` stands; the closing quote at the end."""
        return self._offsets[min(position, len(self.value))]


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def unquoted(token: str, begin: int) -> Text:
    r"""Reads a string token, quotes included, that begins at the offset `begin`.

    A backslash takes the meaning from the sign after it, as in C: `\"` is a quote, `\n` a new
    line. One at the end of a line joins it with the next.
    """
    signs: list[str] = []
    offsets: list[int] = []
    at = 1
    while at < len(token) - 1:
        offsets.append(begin + at)
        sign = token[at]
        if sign == "\\":
            at += 1
            sign = _ESCAPES.get(token[at], token[at])
            if token.startswith(("\n", "\r\n"), at):
                at = token.index("\n", at)
                offsets.pop()
                sign = ""
        signs.append(sign)
        at += 1
    return Text("".join(signs), begin, [*offsets, begin + len(token) - 1])
