"""Measures Cord beside its peers, and writes docs/performance.md: `make bench`."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from benchmarks import bars, machine, page, places, results
from benchmarks.choosing import chosen
from benchmarks.model import Result, Row
from benchmarks.rounds import measure
from benchmarks.rows import ROWS
from benchmarks.running import adopt_orphans, build_floors, run, say


def main() -> int:
    """Read the command line, measure, write the page; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="names of rows, with commas; none: all")
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender runs")
    parser.add_argument("--list", action="store_true", help="show the rows' names, run nothing")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(f"{row.name:<14}{row.title}" for row in ROWS))
        return 0
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    rows = chosen(arguments.only, ROWS, "benchmark")
    adopt_orphans()
    failure = build_floors()
    if failure is not None:
        say(f"the C programs cannot be compiled: {failure}")
    found = {}
    for row in rows:
        found[row.name] = result = _measured(row, 1 if row.once else arguments.rounds)
        results.save(result, places.RESULTS)
        _write(row, result)
    print("\n".join(page.summary(rows, found)))
    return 0


def _measured(row: Row, rounds: int) -> Result:
    say(f"== {row.name}: {row.title}")
    facts = machine.facts()
    once = partial(run, cores=row.cores, seconds=row.seconds)
    return Result(row.name, rounds, facts, measure(row.contenders, rounds, once, say))


def _write(row: Row, result: Result) -> None:
    """Draw a row, and write it into the page."""
    picture = bars.draw(row, result)
    if picture is not None:
        for folder in [places.PICTURES, places.SHOWN] if row.shown else [places.PICTURES]:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{row.name}.svg").write_text(picture)
    text = places.PAGE.read_text()
    kept = page.between(text)
    new = page.content(ROWS, {row.name: result}, kept, places.SHOWN.name)
    places.PAGE.write_text(page.inserted(text, new))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
