"""What plain code costs in a translated module: the module beside a copy that is not translated."""

import time
from pathlib import Path

import work
from timing import median, report

TURNS = 40


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


def timed(function) -> float:
    """How long one go takes, in seconds."""
    begin = time.perf_counter()
    function(3000)
    return time.perf_counter() - begin


def main() -> None:
    """Measure both in turns."""
    copy: dict[str, object] = {"__name__": "copy"}
    exec(compile(Path(__file__).read_text(), "copy", "exec"), copy)
    assert crunch(2999, ask=True) == copy["crunch"](3000)
    here, there = [], []
    for _ in range(TURNS):
        here.append(timed(crunch))
        there.append(timed(copy["crunch"]))
    report(ratio=median(here) / median(there), seconds=median(here))


if __name__ == "__main__":
    main()
