"""How long so many calls take that only wait: `naps.py 2000`."""

import sys
import time

import work
from timing import report

COUNT = int(sys.argv[1])
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
