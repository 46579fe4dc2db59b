"""What there is to measure, and what was measured, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

CORD = "Cord"


@dataclass(frozen=True, slots=True)
class Contender:
    """One that is measured: a command that prints its measures as its last line, in JSON.

    Attributes:
        name: As in the table.
        command: Program and arguments.
        folder: Where it runs: below `benchmarks/`, or an absolute path.
        silent: It prints no measures: only its whole time counts.
    """

    name: str
    command: tuple[str, ...]
    folder: str = "programs"
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one contender.

    Attributes:
        name: Its name.
        samples: The measures of each round.
        failure: Why there are no (more) rounds; None if all went well.
    """

    name: str
    samples: list[dict[str, float]] = field(default_factory=list)
    failure: str | None = None


class Absent(Exception):
    """A contender was not measured; the text names it."""


@dataclass(frozen=True, slots=True)
class Medians:
    """The medians of all contenders of a row.

    Attributes:
        by_name: For each contender that was measured, its measures.
    """

    by_name: Mapping[str, Mapping[str, float]]

    def of(self, name: str, measure: str) -> float:
        """One measure of one contender.

        Raises:
            Absent: There is none.
        """
        try:
            return self.by_name[name][measure]
        except KeyError:
            raise Absent(name) from None

    def others(self, measure: str, but: tuple[str, ...] = ()) -> list[float]:
        """The measure of all others than Cord, and but these.

        Raises:
            Absent: Nobody else has it.
        """
        without = {CORD, *but}
        found = [
            measures[measure]
            for name, measures in self.by_name.items()
            if name not in without and measure in measures
        ]
        if not found:
            raise Absent("every peer")
        return found


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that is wanted.

    Attributes:
        text: What it is.
        figure: Makes it from the medians; raises Absent where one is missing.
        wanted: Its bound.
        at_most: Whether it may be at most that; else at least.
        form: How it is written.
    """

    text: str
    figure: Callable[[Medians], float]
    wanted: float
    at_most: bool
    form: str = ".2f"

    def holds(self, figure: float) -> bool:
        """Whether a figure is within the bound."""
        return figure <= self.wanted if self.at_most else figure >= self.wanted


@dataclass(frozen=True, slots=True)
class Column:
    """A measure in the table of a row.

    Attributes:
        title: With the unit.
        measure: Its key in the samples.
        scale: What it is multiplied by.
        form: How it is written.
    """

    title: str
    measure: str
    scale: float = 1.0
    form: str = ",.1f"


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark: a row of the table of wanted figures.

    Attributes:
        name: A word, for the command line and files.
        title: What is measured.
        notes: More about it, as Markdown.
        columns: What is shown of each contender; the first one is drawn.
        contenders: Who is measured.
        claims: What is wanted.
        cores: How many cores all processes may use; None for all.
        seconds: How long one run of one contender may take.
        once: Whether one round is enough: it repeats its measurement by itself.
        shown: Whether its page shows its picture, which is then kept beside the page.
    """

    name: str
    title: str
    notes: str
    columns: tuple[Column, ...]
    contenders: tuple[Contender, ...]
    claims: tuple[Claim, ...]
    cores: int | None = None
    seconds: float = 120.0
    once: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a row.

    Attributes:
        name: The row's.
        rounds: How many there were.
        facts: Machine, versions and date.
        measured: In the order of the row's contenders.
    """

    name: str
    rounds: int
    facts: dict[str, str]
    measured: list[Measured]
