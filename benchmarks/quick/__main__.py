"""Measures this commit beside another in turns, and prints a table: `make bench-quick`."""

from __future__ import annotations

import argparse
import os
import sys

from benchmarks.quick import checkout, table
from benchmarks.quick.rows import ROWS, Compared
from benchmarks.rounds import Failed
from benchmarks.running import adopt_orphans, say

MUCH = 0.5  # of a core, taken by others


def main() -> int:
    """Read the command line, build, measure, print; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.quick", description=__doc__)
    parser.add_argument("--base", default="HEAD~1", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="how often each row is measured")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    load = os.getloadavg()[0]
    say(f"building {arguments.base}")
    try:
        base = checkout.of(arguments.base)
    except checkout.NoSuchCommit as error:
        parser.error(str(error))
    adopt_orphans()
    measured = [(row, _pairs(row, base, arguments.rounds)) for row in ROWS]
    print("\n".join(table.lines(measured)))
    print(f"\nbase: {arguments.base}; medians of {arguments.rounds} rounds, in turns")
    if load > MUCH:
        print(f"the machine was busy: load {load:.1f} before it began")
    return 0 if all(pairs for _, pairs in measured) else 1


def _pairs(row: Compared, base: checkout.Checkout, rounds: int) -> list[tuple[float, float]]:
    """The figures of base and this; which of them comes first changes from round to round."""
    say(f"== {row.name}")
    both = [base, checkout.this()]
    pairs: list[tuple[float, float]] = []
    try:
        for number in range(rounds):
            turn = both if number % 2 == 0 else both[::-1]
            figures = {one.name: row.measure(one) for one in turn}
            pairs.append((figures[base.name], figures["this"]))
    except Failed as failed:
        say(f"{row.name}: {failed}")
    return pairs


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
