"""The time of a call that an earlier one answers, which is kept on disk."""

import work
from timing import per_call, report


def calls(count: int) -> None:
    """Make so many calls, the same each time."""
    for number in range(count):
        work.inc(number)


report(seconds=per_call(calls, 1000))
