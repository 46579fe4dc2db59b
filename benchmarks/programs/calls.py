"""The rate of calls that do next to nothing, in a plain loop."""

import time

import work
from timing import report

COUNT = 100_000


def increments(count: int) -> list[int]:
    """Make so many calls; their results in order."""
    results = []
    for number in range(count):
        results.append(work.inc(number))
    return results


increments(1000)
begin = time.perf_counter()
results = increments(COUNT)
seconds = time.perf_counter() - begin
assert results == list(range(1, COUNT + 1))
report(rate=COUNT / seconds)
