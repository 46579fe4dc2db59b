"""What plain code costs in a translated module: the module beside a copy that is not translated."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import work
from timing import median, report

TURNS = 300
SIZE = 300


class Tally:
    """Counts words."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def add(self, word: str) -> None:
        """Count one."""
        self.counts[word] = self.counts.get(word, 0) + 1


def is_prime(number: int) -> bool:
    """Whether nothing divides it."""
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def crunch(size: int, ask: bool = False) -> int:
    """Loops of many kinds, none of which makes a remote call."""
    if ask:
        size = work.inc(size)
    total = 0
    for number in range(size * 20):
        if number % 3:
            total += number
        else:
            total ^= number << 1
    tally = Tally()
    for number in range(size):
        tally.add(f"{number % 17}")
    primes = [number for number in range(size) if is_prime(number)]
    grid = [[row * column for column in range(30)] for row in range(size // 30)]
    row = 0
    while row < len(grid):
        for column in range(30):
            grid[row][column] += primes[column]
        row += 1
    try:
        total += sum(map(sum, grid)) + len(tally.counts)
    finally:
        total += len(primes)
    return total


def timed(function: Callable[[int], int]) -> float:
    """How long one go keeps the processor, in seconds."""
    begin = time.thread_time()
    function(SIZE)
    return time.thread_time() - begin


def main() -> None:
    """Measure both in turns."""
    copy: dict[str, Any] = {"__name__": "copy"}
    exec(compile(Path(__file__).read_text(), "copy", "exec"), copy)
    assert crunch(SIZE - 1, ask=True) == copy["crunch"](SIZE)
    here, there = [], []
    for turn in range(TURNS):
        pair = [(here, crunch), (there, copy["crunch"])]
        for measured, function in pair if turn % 2 else reversed(pair):
            measured.append(timed(function))
    report(ratio=median(here) / median(there), seconds=median(here))


if __name__ == "__main__":
    main()
