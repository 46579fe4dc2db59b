"""The policy of the search: what is tried when, who is given up, and what has won.

It starts nothing by itself: to run the program under a choice is a function that it is given, and
so is the clock.

One thing is changed at a time, and the best way kept (coordinate descent). The ways to set it race
with the best one so far: all take turns, so that whatever else the machine does meets them alike,
and who falls behind is given up (as in Maron and Moore, "Hoeffding races", 1994, with fixed bounds
in place of theirs, for three runs tell nothing of a distribution). A run that takes much longer
than the best one is cut off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cord.tools.tune.space import Axis, Choice

# Rounds of a race, and of the last one, that tells what was gained.
ROUNDS = 3
LAST_ROUNDS = 5
# Who takes so many times as long as the best is given up, in the first round and later.
_BEHIND = (1.25, 1.1)
# A run is cut off after so many times the best, and some time for the machine's moods, in seconds.
_CUT = 1.3
_MOOD = 0.3
# The part of the time that must be gained.
_GAIN = 0.98

# How long a run took, in seconds; None where it was cut off, failed or showed something else.
Run = Callable[["Choice", float | None], float | None]


@dataclass(slots=True)
class Runner:
    """One way to set the plan, and how long its runs took in a race."""

    choice: Choice
    seconds: list[float] = field(default_factory=list)

    @property
    def time(self) -> float:
        """The median, in seconds."""
        return median(self.seconds)


@dataclass(frozen=True, slots=True)
class Step:
    """A change that was kept.

    Attributes:
        axis: What was changed.
        choice: What was set.
        before: How long runs took before it, in seconds; the median in that race.
        after: And with it.
    """

    axis: str
    choice: Choice
    before: float
    after: float


@dataclass(slots=True)
class Found:
    """What a search has come to.

    Attributes:
        choice: All that is best set otherwise; empty where the plan is best as it is.
        steps: The changes one after the other.
        before: Times of the plan as it was, in the last race, in seconds.
        after: Times of the choice there.
        runs: How many runs there were.
        tried: How many ways to set the plan.
        is_whole: Whether all that could be tried was; else the time was over.
    """

    choice: Choice = ()
    steps: list[Step] = field(default_factory=list)
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    runs: int = 0
    tried: int = 0
    is_whole: bool = True


class Search:
    """A search for the best way to set a plan.

    Args:
        run: Runs the program.
        clock: Tells the time, in seconds.
        until: When the search must come to its end.
        usual: How long a run takes, as far as is known: in seconds.
    """

    def __init__(self, run: Run, clock: Callable[[], float], until: float, usual: float) -> None:
        self._run = run
        self._clock = clock
        self._until = until
        self._usual = usual
        self.found = Found()

    def search(self, axes: list[Axis]) -> Found:
        """Change one thing after the other, as long as that helps and there is time."""
        found, untried = self.found, True
        while untried:
            untried = False
            for axis in axes:
                if not self._has_time(2):
                    found.is_whole = False
                    break
                untried |= self._try(axis)
            untried &= found.is_whole and len(axes) > 1
        if found.choice:
            self._prove()
        return found

    def _try(self, axis: Axis) -> bool:
        """Race all ways to set one thing; whether one is better than what was best."""
        options = [with_(self.found.choice, option) for option in axis.options]
        options = [option for option in options if option != self.found.choice]
        races = [[option] for option in options] if axis.is_ladder else [options]
        has_won = False
        for entered in races:
            step = self._race(axis.name, entered)
            if step is None:
                break
            self.found.choice = step.choice
            self.found.steps.append(step)
            has_won = True
        return has_won

    def _race(self, name: str, choices: list[Choice]) -> Step | None:
        best = Runner(self.found.choice)
        others = [Runner(choice) for choice in choices]
        self.found.tried += len(others)
        for number in range(ROUNDS):
            if not others or not self._has_time(1 + len(others)):
                break
            self._round(number, [best, *others])
            if not best.seconds:
                return None
            others = [one for one in others if not _is_behind(one, best, others, number)]
        ran = [one for one in others if one.seconds]
        if not ran or not best.seconds:
            return None
        first = min(ran, key=lambda one: one.time)
        if first.time > _GAIN * best.time:
            return None
        return Step(name, first.choice, best.time, first.time)

    def _round(self, number: int, runners: list[Runner]) -> None:
        """Everybody runs once; each round begins with another one."""
        first = number % len(runners)
        for one in (*runners[first:], *runners[:first]):
            known = [min(other.seconds) for other in runners if other.seconds]
            longest = _CUT * min(known) + _MOOD if known else None
            self.found.runs += 1
            seconds = self._run(one.choice, longest if one is not runners[0] else None)
            if seconds is not None:
                one.seconds.append(seconds)
                self._usual = seconds

    def _prove(self) -> None:
        """What the choice gains, all of it beside the plan as it was."""
        before, after = Runner(()), Runner(self.found.choice)
        for number in range(LAST_ROUNDS):
            if number and not self._has_time(2):
                break
            self._round(number, [before, after])
        self.found.before, self.found.after = before.seconds, after.seconds
        if not after.seconds or not before.seconds or after.time > _GAIN * before.time:
            self.found.choice = ()

    def _has_time(self, runs: int) -> bool:
        """Whether so many runs can be made, and those that prove what was found."""
        return self._clock() + (runs + 2) * self._usual <= self._until


def with_(choice: Choice, more: Choice) -> Choice:
    """A choice with more set, or otherwise."""
    return tuple((dict(choice) | dict(more)).items())


def _is_behind(one: Runner, best: Runner, others: list[Runner], number: int) -> bool:
    """Whether a runner is given up after a round."""
    if len(one.seconds) <= number:
        return True  # it was cut off
    bound = _BEHIND[min(number, len(_BEHIND) - 1)]
    ran = [best, *(other for other in others if other.seconds)]
    return min(one.seconds) > bound * min(min(other.seconds) for other in ran)
