"""What the calls of each line would gain, for `cord report`: the run in simulated time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.predict.simulated import Simulated

if TYPE_CHECKING:
    from cord.tools.trace.reading import Trace

# So many calls are simulated at most, all simulations together: three seconds for a million.
MOST = 4_000_000


@dataclass(frozen=True, slots=True)
class Gains:
    """What changes would save; seconds of the run that was measured.

    Attributes:
        shorter: By place: with its calls half as long.
        more: By module: twice as many replicas, and what they save; none where their number is
            written down in another way, as by shares or names.
        left_out: How many places were not simulated, for there are so many calls.
        why_not: Why nothing is told; empty if something is.
    """

    shorter: dict[int, float] = field(default_factory=dict)
    more: dict[str, tuple[int, float]] = field(default_factory=dict)
    left_out: int = 0
    why_not: str = ""


def gains(trace: Trace, places: list[int], modules: list[str], calls: int) -> Gains:
    """What the calls at these places would gain.

    Args:
        trace: The run.
        places: Their numbers, those that matter most first.
        modules: Their modules, in the same order.
        calls: How many calls there were in the run.
    """
    if not places:
        return Gains()
    try:
        run = Simulated(trace, [])
        return _simulated(run, places, modules, max(1, MOST // max(calls, 1) - 1))
    except CordError as error:
        return Gains(why_not=error.message)


def _simulated(run: Simulated, places: list[int], modules: list[str], most: int) -> Gains:
    """With so many simulations besides that of the run as it was."""
    usual = run.predict(run.plan).seconds
    scale = run.seconds / usual if usual > 0 else 0.0
    shorter: dict[int, float] = {}
    more: dict[str, tuple[int, float]] = {}
    for place, module in zip(places, modules, strict=True):
        if most and module not in more and run.may_vary(run.plan, module):
            remote = run.plan.remote[module]
            key = "threads" if remote.threads > 1 else "replicas"
            many = 2 * (remote.threads if remote.threads > 1 else remote.replicas)
            plan = run.variant([f'remote."{module}".{key}={many}'])
            more[module] = many, scale * (usual - run.predict(plan).seconds)
            most -= 1
        if not most:
            break
        shorter[place] = scale * (usual - run.predict(run.plan, halved=place).seconds)
        most -= 1
    return Gains(shorter, more, len(places) - len(shorter))
