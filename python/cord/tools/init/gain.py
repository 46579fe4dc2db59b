"""What plans gain: real runs of the program under them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from cord.plan.variants import PLAIN
from cord.tools.compare.measure import Measured, Way, measure
from cord.tools.init.proposal import Table, as_variants
from cord.tools.init.refusal import duration
from cord.tools.trials.differences import Difference, Shown, differences

if TYPE_CHECKING:
    from cord.tools.init.plain import Plain

ROUNDS = 3
LEAST = 1.1  # times as fast as plain Python
LEAST_SAVED = 0.03  # seconds
_OF_TABLE = 1.03  # a table that gains less is left out


@dataclass(slots=True)
class Tried:
    """One run under a plan.

    Attributes:
        tables: The plan.
        seconds: How long it took; None if it was ended, as it took too long.
        unlike: Where it differs from the plain run.
        plain: How long plain Python takes.
    """

    tables: list[Table]
    seconds: float | None
    unlike: list[Difference]
    plain: float


@dataclass(slots=True)
class Gained:
    """What the plan that is written has gained.

    Attributes:
        tables: The plan.
        plain: The median of the plain runs, in seconds.
        cord: That of the runs under the plan.
        without: For each table, the median of runs without it; None if it is the only one.
        rounds: How many runs of each were made.
    """

    tables: list[Table]
    plain: float
    cord: float
    without: list[float | None]
    rounds: int

    @property
    def speedup(self) -> float:
        """How many times as fast as plain Python."""
        return self.plain / self.cord

    @property
    def pays(self) -> bool:
        """Whether it is worth a file."""
        return self.speedup >= LEAST and self.plain - self.cord >= LEAST_SAVED


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

    def _try(self, name: str, some: list[Table]) -> Tried:
        plain = self._plain
        plain.trials.limit = 3 * plain.seconds + 10
        remote = " and ".join(one.function.name for table in some for one in table.functions)
        try:
            shown = plain.trials.cord(name)
        except subprocess.TimeoutExpired:
            plain.say(f"with {remote} in replicas: ended after {duration(plain.trials.limit)}")
            return Tried(some, None, [], plain.seconds)
        plain.say(f"with {remote} in replicas: {duration(shown.seconds)}")
        plain.trials.limit = None
        unlike = self._unlike(shown)
        if unlike:  # is it the plan, or the program?
            plain.learn(plain.trials.plain())
            unlike = self._unlike(shown)
        return Tried(some, shown.seconds, unlike, plain.seconds)

    def _unlike(self, shown: Shown) -> list[Difference]:
        masked = self._plain.steady.masked
        return differences(masked(self._plain.shown), masked(shown))

    def measured(self, some: list[Table]) -> tuple[Gained, list[Difference]]:
        """Run the program plain and under a plan in turns, and without each table of it.

        Returns:
            What the plan has gained, and where a run under it differs from the plain ones.
        """
        without = [[t for t in some if t is not one] for one in some] if len(some) > 1 else []
        names = self._write([some, *without])
        masked, trials = self._plain.steady.masked, self._plain.trials
        trials.limit = None
        ways = [Way(PLAIN, None, lambda: masked(trials.plain()))]
        ways += [Way(n, None, partial(lambda n: masked(trials.cord(n)), n)) for n in names]
        plain, cord, *others = measured = measure(ways, ROUNDS, _Said(self._plain))
        if _is_close(plain, cord):
            for one, more in zip(measured, measure(ways, ROUNDS, _Said(self._plain)), strict=True):
                one.seconds += more.seconds
                one.unlike += more.unlike
        medians: list[float | None] = [one.median for one in others] or [None]
        gained = Gained(some, plain.median, cord.median, medians, len(cord.seconds))
        return gained, _first_unlike([cord])

    def best(self, some: list[Table]) -> tuple[Gained, list[Difference]]:
        """The gain of a plan, without tables that gain nothing."""
        gained, unlike = self.measured(some)
        kept = [
            table
            for table, median in zip(some, gained.without, strict=True)
            if median is None or median >= _OF_TABLE * gained.cord
        ]
        if kept and len(kept) < len(some) and not unlike:
            return self.measured(kept)
        return gained, unlike


def _is_close(plain: Measured, cord: Measured) -> bool:
    """Whether more runs may change the answer: the times overlap, or are near the bound."""
    overlap = max(cord.seconds) > min(plain.seconds) and max(plain.seconds) > min(cord.seconds)
    return overlap and min(plain.seconds) > 0.95 * min(cord.seconds)


def _first_unlike(measured: list[Measured]) -> list[Difference]:
    return [found for one in measured for _, all_found in one.unlike[:1] for found in all_found]


class _Said:
    """Tells the user of each run."""

    def __init__(self, plain: Plain) -> None:
        self._say = plain.say

    def begins(self, number: int, name: str) -> None:
        """Nothing is told yet."""

    def ended(self, number: int, name: str, seconds: float) -> None:
        """Tell the run's time."""
        what = {PLAIN: "plain Python", "plan1": "the plan"}.get(name, "without a table")
        self._say(f"round {number} of {ROUNDS}: {what}: {duration(seconds)}")
