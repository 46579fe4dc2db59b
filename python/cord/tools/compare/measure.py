"""The policy of the measurement: who runs when, and what is kept of each run.

It starts nothing by itself: a way to run the program is a function that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from cord.tools.trials.differences import Difference, Shown, differences


@dataclass(frozen=True, slots=True)
class Way:
    """One way to run the program.

    Attributes:
        name: A variant's name, or that of plain Python.
        replicas: How many processes serve, all remote modules together; None for plain Python,
            and where that is not known before a run.
        run: Runs it once.
    """

    name: str
    replicas: int | None
    run: Callable[[], Shown]


@dataclass(slots=True)
class Measured:
    """What was seen of one way.

    Attributes:
        name: The way's name.
        replicas: Its replicas, as in `Way`.
        seconds: How long each run took, by round.
        processor: How many processor seconds it took, by round.
        others: How many cores other programs kept busy meanwhile, by round where it is known.
        status: The exit status of the first run.
        last_line: The last line that the first run wrote to stderr.
        unlike: For each run that is not the same as the first plain one, its round, from 1, and
            where it differs.
    """

    name: str
    replicas: int | None
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    status: int = 0
    last_line: str = ""
    unlike: list[tuple[int, list[Difference]]] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median of the times, in seconds."""
        return median(self.seconds)


class Progress(Protocol):
    """Hears how far the measurement is."""

    def begins(self, number: int, name: str) -> None:
        """A run begins: its round, from 1, and the way's name."""

    def ended(self, number: int, name: str, seconds: float) -> None:
        """It has ended."""


def measure(ways: list[Way], repeat: int, progress: Progress) -> list[Measured]:
    """Run every way `repeat` times.

    Args:
        ways: The ways; the first one, plain Python, is what the others are compared to.
        repeat: How many rounds, at least 1.
        progress: Hears of every run.

    Returns:
        What was seen of each, in the order of `ways`.
    """
    measured = {way.name: Measured(way.name, way.replicas) for way in ways}
    reference: Shown | None = None
    for number, way in turns(ways, repeat):
        progress.begins(number, way.name)
        shown = way.run()
        progress.ended(number, way.name, shown.seconds)
        if reference is None:
            reference = shown
        _note(measured[way.name], number, shown, differences(reference, shown))
    return list(measured.values())


def turns(ways: list[Way], repeat: int) -> Iterator[tuple[int, Way]]:
    """The order of the runs, with the number of the round: interleaved.

    So whatever else the machine does meets all ways alike. Each round begins with another way, for
    none shall always be the first; the first round begins with plain Python.
    """
    for number in range(repeat):
        first = number % len(ways)
        for way in (*ways[first:], *ways[:first]):
            yield number + 1, way


def _note(measured: Measured, number: int, shown: Shown, found: list[Difference]) -> None:
    if not measured.seconds:
        measured.status, measured.last_line = shown.status, shown.last_line
    measured.seconds.append(shown.seconds)
    measured.processor.append(shown.processor)
    if shown.others is not None:
        measured.others.append(shown.others)
    if found:
        measured.unlike.append((number, found))
