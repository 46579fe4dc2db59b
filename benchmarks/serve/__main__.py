"""Measures `cord serve`, and prints tables: `make serve-figures`."""

from __future__ import annotations

import argparse
import sys

from benchmarks.serve.rows import ROWS


def main() -> int:
    """Read the command line and measure; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.serve", description=__doc__)
    parser.add_argument("--only", default="", help="names of rows, with commas; none: all")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=10, help="how long load lasts")
    given = parser.parse_args()
    wanted = [name for name in given.only.split(",") if name] or list(ROWS)
    unknown = [name for name in wanted if name not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(ROWS)}")
    for name in wanted:
        print(f"\n## {name}: {ROWS[name].__doc__}\n", flush=True)
        for line in ROWS[name](given.rounds, given.seconds):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
