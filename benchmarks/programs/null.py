"""The time of a call that does nothing, one at a time."""

import cores
import work
from timing import per_call, report


def nulls(count: int) -> None:
    """Make so many calls."""
    for _ in range(count):
        work.null()


cores.pin(0)
work.pin(1)
report(seconds=per_call(nulls, 200))
