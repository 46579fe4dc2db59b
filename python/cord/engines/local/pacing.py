"""Calls that take longer than they do: replicas of unequal speed, for experiments."""

from __future__ import annotations

from time import perf_counter, sleep

_SCHEDULE = "/proc/thread-self/schedstat"
_NANO = 1e-9

Instant = tuple[float, float]


class Pacing:
    """Stretches the service time of calls.

    What a call waits for a core counts for its rest, not for its work. So replicas that rest enough
    to share the cores keep to their speeds, whatever else the machine does.

    Args:
        stretch: By how much: 1.0 doubles it.
    """

    __slots__ = ("_stretch",)

    def __init__(self, stretch: float) -> None:
        self._stretch = stretch

    def begin(self) -> Instant:
        """A call begins."""
        return perf_counter(), _waited()

    def rest(self, began: Instant) -> None:
        """It has ended: rest for the time that it is to take more."""
        waited = _waited() - began[1]
        worked = perf_counter() - began[0] - waited
        sleep(max(0.0, worked * self._stretch - waited))


def _waited() -> float:
    """For how many seconds this thread could have run, but had no core."""
    try:
        with open(_SCHEDULE, "rb") as file:
            return int(file.read().split()[1]) * _NANO
    except (OSError, IndexError):  # not every kernel keeps count
        return 0.0
