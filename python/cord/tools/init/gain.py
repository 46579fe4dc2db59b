"""What plans gain: real runs of the program under them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from cord.plan.problems import listing
from cord.plan.variants import PLAIN
from cord.tools.compare.measure import Measured, Way, measure
from cord.tools.init.proposal import Table, as_variants
from cord.tools.init.refusal import duration
from cord.tools.trials.differences import Difference, Shown, differences

if TYPE_CHECKING:
    from cord.tools.init.plain import Plain

ROUNDS = 3
LEAST = 1.1  # times as fast as plain Python
_NO_CHANCE = 1.05  # times as fast, the fastest runs
LEAST_SAVED = 0.03  # seconds
_ALIKE = 1.05  # of two plans that are as fast, one with longer calls is better
_COMPARING = 10.0  # seconds more that a run may take
_OF_TABLE = 1.03  # a table that gains less is left out


@dataclass(slots=True)
class Tried:
    """One run under a plan.

    Attributes:
        tables: The plan.
        seconds: How long it took; None if it was ended, as it took too long.
        unlike: Where it differs from the plain run.
        plain: How long plain Python takes.
        processor: How many processor seconds it took; None if it was ended.
    """

    tables: list[Table]
    seconds: float | None
    unlike: list[Difference]
    plain: float
    processor: float | None = None


@dataclass(slots=True)
class Gained:
    """What the plan that is written has gained.

    Attributes:
        tables: The plan.
        plain: The median of the plain runs, in seconds.
        cord: That of the runs under the plan.
        without: For each table, the median of runs without it; None where that was not tried.
        rounds: How many runs of each were made.
        least: How many times as fast the fastest run is as the fastest plain one.
        unlike: Where the first run under the plan that differs from the plain ones does so.
        processor: The median of the processor seconds of runs under the plan.
    """

    tables: list[Table]
    plain: float
    cord: float
    without: list[float | None]
    rounds: int
    least: float
    unlike: list[Difference]
    processor: float

    @property
    def speedup(self) -> float:
        """How many times as fast as plain Python."""
        return self.plain / self.cord

    @property
    def pays(self) -> bool:
        """Whether it is worth a file, and that is no chance."""
        if self.unlike or self.least < _NO_CHANCE:
            return False
        return self.speedup >= LEAST and self.plain - self.cord >= LEAST_SAVED


def as_tried(gained: Gained) -> Tried:
    """The same as of one run."""
    return Tried(gained.tables, gained.cord, gained.unlike, gained.plain, gained.processor)


class Gain:
    """Runs a program under plans.

    Args:
        plain: The program.
    """

    def __init__(self, plain: Plain) -> None:
        self._plain = plain

    def trial(self, proposals: list[list[Table]]) -> list[Tried]:
        """Run the program once under each of these plans."""
        names = self._write(proposals)
        return [self._try(name, some) for name, some in zip(names, proposals, strict=True)]

    def _write(self, proposals: list[list[Table]]) -> list[str]:
        names = [f"plan{number}" for number in range(1, len(proposals) + 1)]
        text = as_variants(dict(zip(names, proposals, strict=True)))
        with open(self._plain.plan, "w", encoding="utf-8") as file:
            file.write(text)
        return names

    def look(self, some: list[Table]) -> dict[str, Any] | None:
        """What a run under a plan says of its functions; None if it came to no end."""
        (name,) = self._write([some])
        self._plain.say(f"with {remote(some)}, calls made again and compared")
        try:
            return self._plain.trials.audited(name, self._plain.longest + _COMPARING)[1]
        except subprocess.TimeoutExpired:
            return None

    def _try(self, name: str, some: list[Table]) -> Tried:
        plain = self._plain
        try:
            shown = plain.note(plain.trials.cord(name, longest=plain.longest))
        except subprocess.TimeoutExpired:
            plain.say(f"with {remote(some)}: ended after {duration(plain.longest)}")
            return Tried(some, None, [], plain.seconds)
        plain.say(f"with {remote(some)}: {duration(shown.seconds)}")
        unlike = self._unlike(shown)
        if unlike:  # is it the plan, or the program?
            plain.learn(plain.note(plain.trials.plain()))
            unlike = self._unlike(shown)
        return Tried(some, shown.seconds, unlike, plain.seconds, shown.processor)

    def _unlike(self, shown: Shown) -> list[Difference]:
        masked = self._plain.steady.masked
        return differences(masked(self._plain.shown), masked(shown))

    def best(self, proposals: list[list[Table]]) -> Gained:
        """The plan that gains most, without tables that gain nothing.

        Args:
            proposals: The plans, at least one; of two that are much the same, the first counts.
        """
        gained = self._in_turns(proposals)
        same = [one for one in gained if not one.unlike]
        if not same:
            return gained[0]
        quickest = min(one.cord for one in same)
        best = next(one for one in same if one.cord <= _ALIKE * quickest)
        return self._pruned(best) if len(best.tables) > 1 and best.pays else best

    def _pruned(self, gained: Gained) -> Gained:
        """The plan without tables that gain nothing; what is left knows what each gains."""
        some = gained.tables
        whole, *without = self._in_turns([some, *([t for t in some if t is not o] for o in some)])
        whole.without = [one.cord for one in without]
        kept = [
            t for t, one in zip(some, without, strict=True) if one.cord >= _OF_TABLE * whole.cord
        ]
        if not kept or len(kept) == len(some) or whole.unlike:
            return whole
        return self._in_turns([kept])[0]

    def _in_turns(self, proposals: list[list[Table]]) -> list[Gained]:
        """Run the program plain and under each of some plans in turns."""
        names = self._write(proposals)
        trials = self._plain.trials

        def masked(shown: Shown) -> Shown:
            return self._plain.steady.masked(self._plain.note(shown))

        ways = [Way(PLAIN, None, lambda: masked(trials.plain()))]
        ways += [Way(n, None, partial(lambda n: masked(trials.cord(n)), n)) for n in names]
        told = _Said(self._plain, dict(zip(names, map(remote, proposals), strict=True)))
        plain, *plans = measured = measure(ways, ROUNDS, told)
        if self._plain.is_disturbed or any(_is_close(plain, one) for one in plans):
            for one, more in zip(measured, measure(ways, ROUNDS, told), strict=True):
                one.seconds += more.seconds
                one.processor += more.processor
                one.unlike += more.unlike
        return [
            Gained(
                some,
                plain.median,
                one.median,
                [None] * len(some),
                len(one.seconds),
                min(plain.seconds) / min(one.seconds),
                [found for _, all_found in one.unlike[:1] for found in all_found],
                median(one.processor),
            )
            for some, one in zip(proposals, plans, strict=True)
        ]


def _is_close(plain: Measured, cord: Measured) -> bool:
    """Whether more runs may change the answer: the times overlap, or are near the bound."""
    overlap = max(cord.seconds) > min(plain.seconds) and max(plain.seconds) > min(cord.seconds)
    return overlap and min(plain.seconds) > 0.95 * min(cord.seconds)


def remote(some: list[Table]) -> str:
    """The functions that a plan makes remote, in words, and where they run."""
    names = listing([one.function.name for table in some for one in table.functions])
    return f"{names} in {'threads' if some[0].threads else 'replicas'}"


class _Said:
    """Tells the user of each run.

    Args:
        plain: The program.
        plans: What is remote, by the plans' names.
    """

    def __init__(self, plain: Plain, plans: dict[str, str]) -> None:
        self._say = plain.say
        self._plans = plans

    def begins(self, number: int, name: str) -> None:
        """Nothing is told yet."""

    def ended(self, number: int, name: str, seconds: float) -> None:
        """Tell the run's time."""
        what = f"with {self._plans[name]}" if name in self._plans else "plain Python"
        self._say(f"round {number} of {ROUNDS}: {what}: {duration(seconds)}")
