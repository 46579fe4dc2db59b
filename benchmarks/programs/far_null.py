"""The time of a call that does nothing, one at a time, wherever the system puts the processes."""

import work
from timing import per_call, report


def nulls(count: int) -> None:
    """Make so many calls."""
    for _ in range(count):
        work.null()


nulls(200)
report(seconds=per_call(nulls, 200))
