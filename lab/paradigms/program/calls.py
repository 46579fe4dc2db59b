"""Measures calls with so many bytes: calls.py BYTES..."""

import json
import statistics
import sys
import time

import work

STREAM = 2000  # calls in a row
ENOUGH = 0.4  # seconds for one size


def calls(block: bytes, count: int) -> None:
    """Make so many calls."""
    for _ in range(count):
        if len(work.echo(block)) != len(block):
            raise ValueError("something was lost")


def main() -> None:
    """Measure each size, and print the seconds of one call as JSON."""
    count, *sizes = sys.argv[1:]
    measures = {}
    for size in sizes:
        block = bytes(int(size))
        calls(block, int(count))
        times = []
        end = time.perf_counter() + ENOUGH
        while not times or time.perf_counter() < end:
            begin = time.perf_counter()
            calls(block, int(count))
            times.append((time.perf_counter() - begin) / int(count))
        measures[size] = statistics.median(times)
    print(json.dumps(measures))


if __name__ == "__main__":
    main()
