"""How long calls take that only wait, in eight replicas."""

import time

import work
from timing import report

COUNT = 2000
TASK = 0.001


def naps(count: int) -> float:
    """Make so many calls."""
    slept = 0.0
    for _ in range(count):
        slept += work.nap(TASK)
    return slept


naps(80)
begin = time.perf_counter()
naps(COUNT)
report(rate=COUNT / (time.perf_counter() - begin))
