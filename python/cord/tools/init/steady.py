"""What plain runs of a program show alike, so that other runs can be compared with it.

A program that prints how long it took, or where in memory something is, never shows the same
twice. Lines that differ between plain runs in their numbers alone are compared without these; all
others as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from cord.tools.trials.differences import Difference, Shown, differences

_NUMBER = re.compile(rb"[ \t]*(?:0x[0-9a-f]+|\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?)[ \t]*")
_OWN = re.compile(rb"^cord: .*\n", re.MULTILINE)
_STDOUT = "stdout"
_LAST_LINE = "the last line of stderr"


@dataclass(slots=True)
class Steady:
    """What is left out of the comparison.

    Attributes:
        unsteady: By what differs (stdout, a file), the lines whose numbers are left out, from 0.
    """

    unsteady: dict[str, set[int]] = field(default_factory=dict)

    def learn(self, one: Shown, other: Shown) -> list[Difference]:
        """Learn from two plain runs; what differs otherwise than in the numbers of some lines."""
        self._learn(_STDOUT, one.stdout, other.stdout)
        for name in one.files.keys() & other.files.keys():
            self._learn(name, one.files[name], other.files[name])
        if one.last_line != other.last_line:
            self.unsteady[_LAST_LINE] = set()
        return differences(self.masked(one), self.masked(other))

    def _learn(self, what: str, one: bytes, other: bytes) -> None:
        left, right = one.splitlines(), other.splitlines()
        if one == other or len(left) != len(right):
            return
        for number, (line, again) in enumerate(zip(left, right, strict=True)):
            if line != again and _numberless(line) == _numberless(again):
                self.unsteady.setdefault(what, set()).add(number)

    def masked(self, shown: Shown) -> Shown:
        """What a run shows, without what is left out, and without what Cord itself says."""
        files = {name: self._masked(name, text) for name, text in shown.files.items()}
        stderr = _OWN.sub(b"", shown.stderr)
        if _LAST_LINE in self.unsteady:
            stderr = _numberless(replace(shown, stderr=stderr).last_line.encode())
        stdout = self._masked(_STDOUT, shown.stdout)
        return replace(shown, stdout=stdout, stderr=stderr, files=files)

    def _masked(self, what: str, text: bytes) -> bytes:
        numbers = self.unsteady.get(what)
        if not numbers:
            return text
        lines = text.splitlines(keepends=True)
        for number in numbers & set(range(len(lines))):
            lines[number] = _numberless(lines[number])
        return b"".join(lines)

    def lines(self) -> int:
        """How many lines are compared without their numbers."""
        return sum(max(1, len(numbers)) for numbers in self.unsteady.values())


def _numberless(line: bytes) -> bytes:
    return _NUMBER.sub(b" # ", line)


def in_numbers_alone(one: Difference) -> bool:
    """Whether two lines differ in nothing but numbers, as far as they are shown."""
    return _numberless(one.plain.encode()) == _numberless(one.cord.encode())
