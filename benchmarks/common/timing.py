"""How programs and peers measure, and how they tell what they measured."""

import json
import os
import time
from collections.abc import Callable

BEGAN = "BENCH_BEGAN"


def per_call(batch: Callable[[int], object], size: int, seconds: float = 1.0) -> float:
    """The time of one call, in seconds: the median of batches.

    Args:
        batch: Makes so many calls, one after the other.
        size: How many each time. The first batch does not count.
        seconds: For how long to go on.
    """
    batch(size)
    measured: list[float] = []
    end = time.perf_counter() + seconds
    while not measured or time.perf_counter() < end:
        begin = time.perf_counter()
        batch(size)
        measured.append((time.perf_counter() - begin) / size)
    return median(measured)


def median(numbers: list[float]) -> float:
    """The middle one; importing `statistics` would take longer than what some programs measure."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def since_start() -> float:
    """Seconds since this program's command was given."""
    return time.monotonic() - float(os.environ[BEGAN])


def report(**measures: float) -> None:
    """Print what was measured, as the last line."""
    print(json.dumps(measures), flush=True)
