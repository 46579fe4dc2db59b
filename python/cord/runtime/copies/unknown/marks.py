"""Marks in text, which tell what a part of it stands for.

A text that was formatted is nothing but its characters. So what stands for a text goes into it with
a mark of four private-use characters behind, which survives joining, formatting and stripping, and
by which the text before it is found and replaced once it is known.
"""

from __future__ import annotations

import re

from cord._core import MARK

from .nodes import Node, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST = 0xE000
_BASE = 4096
_MARKS = re.compile(f"{MARK}([\ue000-\uefff])([\ue000-\uefff])\uf8f1")
# the texts that marks stand behind, what they stand for, and both together
_marked: list[tuple[str, Node, str]] = []


class LostError(Exception):
    """What a mark stands for has been taken apart."""


def marked(sample: str, node: Node) -> str:
    """A text with a mark behind it; without one if there are too many."""
    number = len(_marked)
    if number >= _BASE * _BASE:
        return sample
    high, low = divmod(number, _BASE)
    made = f"{sample}{MARK}{chr(_FIRST + high)}{chr(_FIRST + low)}\uf8f1"
    _marked.append((sample, node, made))
    return made


def _found(text: str) -> Iterator[tuple[int, int, int]]:
    """Where marks start and end, and their numbers, from the last one on."""
    # nobody lifts a scanner
    matches = list(iter(_MARKS.scanner(text).search, None))  # type: ignore[attr-defined]
    for match in reversed(matches):
        high, low = (ord(part) - _FIRST for part in match.groups())
        number = high * _BASE + low
        if number < len(_marked):
            yield match.start(), match.end(), number


class Text(Node):
    """A text with marks in it."""

    __slots__ = ("sign", "text")

    def __init__(self, text: str) -> None:
        nodes = [_marked[number][1] for _, _, number in _found(text)]
        super().__init__(frozenset().union(*(node.numbers for node in nodes)))
        self.text = text
        self.sign = signed(*nodes)

    def _compute(self) -> str:
        pieces = []
        rest = self.text
        for start, end, number in _found(self.text):
            if end > len(rest):
                continue  # within what another one stands for
            sample, node, made = _marked[number]
            if made is self.text:
                return str(node.value())  # `f"{text}"` is the text itself
            if start < len(sample) or rest[start - len(sample) : start] != sample:
                raise LostError
            pieces += [rest[end:], str(node.value())]
            rest = rest[: start - len(sample)]
        return "".join([rest, *reversed(pieces), ""])  # one of its own, whatever is empty


def clean(text: str) -> str:
    """A text without its marks: all of it as the samples have it."""
    ends = [0, *(end for _, end, _ in reversed(list(_found(text))))]
    starts = [*(start for start, _, _ in reversed(list(_found(text)))), len(text)]
    return "".join([text[end:start] for end, start in zip(ends, starts, strict=True)])


def prefix_of(node: Node) -> str:
    """What is known of a text: how it begins."""
    if type(node) is Text:
        *_, (start, _, number) = _found(node.text)
        return node.text[: max(0, start - len(_marked[number][0]))]
    return node.prefix
