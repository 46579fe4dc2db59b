"""Runs programs of others plain and in each way of running ahead: `make programs`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.others.program import COMMAND, Program, Ran
from benchmarks.others.table import WAYS, Runs, lines
from benchmarks.rounds import Failed
from benchmarks.running import adopt_orphans, say


def main() -> int:
    """Read the command line, run, print; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.others", description=__doc__)
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        help=f"each with a cord.toml and a main.py, or a file {COMMAND} that says what is run",
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is run")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    adopt_orphans()
    measured: dict[str, Runs] = {}
    failed = False
    for folder in arguments.folders:
        say(f"== {folder.name}")
        try:
            with TemporaryDirectory(prefix="cord-others-") as place:
                program = Program(folder.resolve(), Path(place))
                measured[program.name] = _measure(program, arguments.rounds)
        except Failed as why:
            say(f"{folder}: {why}")
            failed = True
    print("\n".join(lines(measured)))
    print(f"\nmedians of {arguments.rounds} rounds, in turns, in seconds")
    return 1 if failed else 0


def _measure(program: Program, rounds: int) -> Runs:
    for way in ("plain", "both"):
        program.run(way)  # it is no first run then
    runs: dict[str, list[Ran]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS if number % 2 == 0 else WAYS[::-1]:
            runs[way].append(program.run(way))
    return runs


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
