"""Measures calls with so many bytes: calls.py COUNT, and a size on each line of its input."""

import json
import statistics
import sys
import time

import work


def calls(block: bytes, count: int) -> None:
    """Make so many calls. As in the native programs, no reply is looked at within the loop."""
    reply = block
    for _ in range(count):
        reply = work.echo(block)
    if reply != block:
        raise ValueError("something was lost")


def main() -> None:
    """Measure each line's size, and print the seconds of one call as JSON.

    The first line of a size does not count.
    """
    count = int(sys.argv[1])
    times: dict[str, list[float]] = {}
    for line in sys.stdin:
        size = line.strip()
        block = bytes(int(size))
        begin = time.perf_counter()
        calls(block, count)
        times.setdefault(size, []).append((time.perf_counter() - begin) / count)
    print(json.dumps({size: statistics.median(found[1:]) for size, found in times.items()}))


if __name__ == "__main__":
    main()
