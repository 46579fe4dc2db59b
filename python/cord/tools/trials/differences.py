"""What two runs of a program show, and where they differ. Nothing is run or read here."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest

_LONGEST = 160
_OWN = "cord: "


@dataclass(frozen=True, slots=True)
class Shown:
    """What a run lets its user see.

    Attributes:
        stdout: What it wrote to standard output.
        stderr: What it wrote to standard error.
        status: Its exit status; negative if a signal ended it.
        files: The files of the working directory after it, by relative path.
        seconds: How long it took, the start and the end of the interpreter included.
        processor: The processor seconds of all its processes on this machine.
        others: How many cores other programs have kept busy meanwhile; None if that is not known.
    """

    stdout: bytes
    stderr: bytes
    status: int
    files: dict[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0
    processor: float = 0.0
    others: float | None = None

    @property
    def last_line(self) -> str:
        """The last line of standard error, but for what a run says of itself."""
        lines = _text(self.stderr).rstrip().splitlines()
        return next((line for line in reversed(lines) if not line.startswith(_OWN)), "")


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        where: What differs, and the first place in it, as "stdout, line 3".
        plain: What the plain run has there.
        cord: What the run under Cord has there.
    """

    where: str
    plain: str
    cord: str


def differences(plain: Shown, cord: Shown) -> list[Difference]:
    """What differs, the first place of each: stdout, exit status, stderr's last line, files."""
    found = []
    if plain.stdout != cord.stdout:
        found.append(_first_line("stdout", plain.stdout, cord.stdout))
    if plain.status != cord.status:
        found.append(Difference("exit status", str(plain.status), str(cord.status)))
    if plain.last_line != cord.last_line:
        where = "the last line of stderr"
        found.append(Difference(where, _short(plain.last_line), _short(cord.last_line)))
    for name in sorted(plain.files.keys() | cord.files.keys()):
        left, right = plain.files.get(name), cord.files.get(name)
        if left != right:
            found.append(_file(name, left, right))
    return found


def told(found: list[Difference], names: tuple[str, str]) -> list[str]:
    """The differences as lines, each beginning with an empty one.

    Args:
        found: The differences.
        names: What the two runs are called.
    """
    width = max(len(name) for name in names) + 1
    lines = []
    for one in found:
        lines += ["", f"{one.where}:"]
        for name, text in zip(names, (one.plain, one.cord), strict=True):
            lines.append(f"  {name + ':':<{width}} {text}")
    return lines


def _file(name: str, plain: bytes | None, cord: bytes | None) -> Difference:
    if plain is None or cord is None:
        states = ["is not there" if text is None else "is there" for text in (plain, cord)]
        return Difference(f"the file {name}", *states)
    return _first_line(f"the file {name}", plain, cord)


def _first_line(what: str, plain: bytes, cord: bytes) -> Difference:
    pairs = zip_longest(plain.splitlines(keepends=True), cord.splitlines(keepends=True))
    for number, (left, right) in enumerate(pairs, 1):
        if left != right:
            return Difference(f"{what}, line {number}", _line(left), _line(right))
    raise AssertionError("equal")


def _line(line: bytes | None) -> str:
    if line is None:
        return "(ends before this line)"
    text = _text(line)
    if not text.endswith("\n"):
        return f"{_short(text)} (without a line end)"
    return _short(text[:-1])


def _short(text: str) -> str:
    if not text:
        return "(nothing)"
    shown = text if text.isprintable() else repr(text)[1:-1]
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 3]}..."


def _text(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")
