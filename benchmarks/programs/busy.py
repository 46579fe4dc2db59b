"""How much of the cores' time becomes work, in calls of one millisecond."""

import time

import work
from timing import report

COUNT = 2000
TASK = 0.001
CORES = 2


def turns(count: int) -> int:
    """Make so many calls."""
    total = 0
    for _ in range(count):
        total += work.busy(TASK)
    return total


turns(20)
begin = time.perf_counter()
turns(COUNT)
seconds = time.perf_counter() - begin
report(efficiency=COUNT * TASK / seconds / CORES)
