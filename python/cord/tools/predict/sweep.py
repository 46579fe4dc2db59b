"""How the time goes with the number of replicas, and what is the limit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.errors import CordError

if TYPE_CHECKING:
    from cord.tools.predict.simulated import Predicted, Simulated, Site

MOST = 10_000
# Up to so many, without --replicas.
_USUAL = 1_000
# More replicas than those from which on the time is within so much of the best are of no use.
_CLOSE = 1.1
# What takes so much of the time is the limit.
_LIMIT = 0.5


@dataclass(frozen=True, slots=True)
class Point:
    """One number of replicas."""

    replicas: int
    predicted: Predicted
    alone: float

    @property
    def speedup(self) -> float:
        """How many times as fast as without Cord."""
        return self.alone / self.predicted.seconds if self.predicted.seconds else 1.0

    @property
    def efficiency(self) -> float:
        """The speed-up for each replica."""
        return self.speedup / max(self.predicted.replicas, 1)


def numbers_of(text: str | None) -> list[int]:
    """The numbers of replicas that are asked for: "8", "1..64", or several of these with commas.

    Raises:
        CordError: That makes no sense.
    """
    found: set[int] = set()
    for part in (text or f"1..{_USUAL}").split(","):
        least, dots, most = part.strip().partition("..")
        ends = (least, most if dots else least)
        if not all(end.isdecimal() and 1 <= int(end) <= MOST for end in ends):
            raise CordError(
                f"--replicas is {text}; allowed: numbers from 1 to {MOST}, as 1..64,100"
            )
        low, high = int(ends[0]), int(ends[1])
        found |= {low, high} if low <= high else set()
        found |= {step for step in _steps() if low < step < high}
    if not found:
        raise CordError(f"--replicas is {text}, which is no number of replicas")
    return sorted(found)


def _steps() -> list[int]:
    """Numbers that look even where each is shown by its logarithm."""
    return [
        1,
        2,
        3,
        4,
        6,
        8,
        12,
        16,
        24,
        32,
        48,
        64,
        *(digit * 10**power for power in (2, 3, 4) for digit in (1, 2, 5)),
    ]


def sweep(traced: Simulated, numbers: list[int]) -> list[Point]:
    """The run at each of these numbers of replicas; at the plan's own alone where it is fixed."""
    plan, alone = traced.plan, traced.alone
    if not any(traced.may_vary(plan, name) for name in traced.called):
        own = traced.predict(plan)
        return [Point(own.replicas, own, alone)]
    return [Point(number, traced.predict(plan, number), alone) for number in numbers]


def knee(points: list[Point]) -> Point:
    """The smallest number of replicas that is about as good as any."""
    best = min(point.predicted.seconds for point in points)
    return next(point for point in points if point.predicted.seconds <= best * _CLOSE)


def limit(traced: Simulated, predicted: Predicted) -> str:
    """What keeps the run from being faster, in words."""
    sites = traced.sites()
    spent = sum(place.spent for place in predicted.places)
    total = max(predicted.seconds, 1e-9)
    if (predicted.own + spent) / total >= _LIMIT:
        return f"the client, {_busiest(traced, predicted, sites)}"
    if predicted.crowded / total >= _LIMIT:
        return f"the machine: its {traced.cores} cores, which the {traced.noun}s share"
    waited = max(range(len(predicted.places)), key=lambda at: predicted.places[at].waited)
    place, site = predicted.places[waited], sites.get(waited)
    name = site.name if site is not None else "its calls"
    if place.ahead < place.taken / 2:
        why = f": {site.told}" if site is not None and site.told else ""
        return f"{name}, where calls are made in place, one after the other{why}"
    if sum(predicted.busy) >= _LIMIT * predicted.replicas * total:
        return f"the {traced.noun}s, which are busy with the calls of {name}"
    return (
        f"{name}: its calls are too few for more {traced.noun}s, start too late or wait for others"
    )


def _busiest(traced: Simulated, predicted: Predicted, sites: dict[int, Site]) -> str:
    """Where the program's own thread spends most, as far as it was seen."""
    seen = [
        (times * traced.end["every"], f"{os.path.basename(file)}:{line}")
        for file, line, times in traced.end["lines"]
    ]
    calls = [
        (place.spent, f"{sites[number].name} (issuing and taking calls)")
        for number, place in enumerate(predicted.places)
        if number in sites
    ]
    seconds, name = max([*seen, *calls], default=(0.0, ""))
    return name if seconds > 0 else "its own work"
