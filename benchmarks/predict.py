"""Predicted times beside measured ones: `python -m benchmarks.predict`.

A program whose calls sleep is run with 2, 8, 32 and 64 replicas, one whose calls compute on the
machine's own cores with 1, 2 and 4, and examples/table1 under its strategies for four unequal
machines. Each is written down; from each trace the times of the others are predicted. Of several
runs of one kind the fastest counts, for what else the machine does only makes them longer.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.markdown import line
from cord.tools.predict.simulated import Simulated
from cord.tools.trace.reading import Trace

HERE = Path(__file__).resolve().parent
SLEEPS = HERE / "programs" / "sleeps"
COMPUTES = HERE / "programs" / "computes"
TABLE1 = HERE.parent / "examples" / "table1"
REPLICAS = (2, 8, 32, 64)
CALLS = ("2000", "0.025")
ON_CORES = (1, 2, 4)
SUMS = ("300", "200000")
STRATEGIES = ("async-demand", "equal-shares", "line", "ring")
ROWS = ("--rows", "200", "--output", "/dev/null")
# Predictions are to be no farther than this from what is measured.
WANTED = 0.1


@dataclass(frozen=True, slots=True)
class Measured:
    """The fastest of several runs, and its trace."""

    seconds: float
    trace: str


def measure(
    folder: str, options: list[str], program: str, args: tuple[str, ...], times: int
) -> Measured:
    """Run a program under Cord several times, after once more that does not count."""
    found = []
    for _ in range(times + 1):
        handle, trace = tempfile.mkstemp(suffix=".trace", dir=folder)
        os.close(handle)
        command = [sys.executable, "-m", "cord", "run", *options, "--trace", trace]
        subprocess.run([*command, program, *args], check=True, capture_output=True)
        found.append((Simulated(Trace.read(trace), []).seconds, trace))
    return Measured(*min(found[1:]))


def cell(predicted: float, measured: float) -> str:
    """A prediction, and how far it is off."""
    off = predicted / measured - 1
    return f"{predicted:.2f} ({off:+.0%}{'' if abs(off) <= WANTED else ' **NO**'})"


def sleeping(folder: str, times: int) -> list[str]:
    """The table of sleeping replicas."""
    return numbers(folder, times, SLEEPS / "main.py", "naps", CALLS, REPLICAS)


def computing(folder: str, times: int) -> list[str]:
    """The table of replicas that share the machine's cores."""
    return numbers(folder, times, COMPUTES / "main.py", "sums", SUMS, ON_CORES)


def numbers(
    folder: str,
    times: int,
    program: Path,
    module: str,
    args: tuple[str, ...],
    counts: tuple[int, ...],
) -> list[str]:
    """The table of a program with several numbers of replicas of its module."""
    runs = {
        count: measure(
            folder, ["--set", f"remote.{module}.replicas={count}"], str(program), args, times
        )
        for count in counts
    }
    heads = [f"from {count}" for count in counts]
    lines = [line(["replicas", "measured, s", *heads]), line(["--:"] * (2 + len(heads)))]
    for count in counts:
        cells = []
        for other in counts:
            traced = Simulated(Trace.read(runs[other].trace), [])
            found = traced.predict(traced.plan, count).seconds
            cells.append(cell(found, runs[count].seconds))
        lines.append(line([str(count), f"{runs[count].seconds:.2f}", *cells]))
    return lines


def unequal(folder: str, times: int) -> list[str]:
    """The table of four unequal machines."""
    program = str(TABLE1 / "picture.py")
    runs = {name: measure(folder, ["--variant", name], program, ROWS, times) for name in STRATEGIES}
    heads = [f"from {name}" for name in STRATEGIES]
    lines = [line(["strategy", "measured, s", *heads]), line(["---", *["--:"] * (1 + len(heads))])]
    for name in STRATEGIES:
        cells = []
        for other in STRATEGIES:
            traced = Simulated(Trace.read(runs[other].trace), [], name)
            cells.append(cell(traced.predict(traced.plan).seconds, runs[name].seconds))
        lines.append(line([name, f"{runs[name].seconds:.2f}", *cells]))
    return lines


# And how many runs there are of each kind in a round: some take a second or two.
TABLES = {"sleeping": (sleeping, 1), "computing": (computing, 2), "unequal": (unequal, 3)}


def main() -> None:
    """Measure, predict and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind (default: 3)")
    parser.add_argument("--only", choices=TABLES, help="one of the tables (default: all)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cord-predict-") as folder:
        for name, (table, times) in TABLES.items():
            if arguments.only in (None, name):
                print("\n".join(table(folder, times * arguments.rounds)), flush=True)
                print()


if __name__ == "__main__":
    main()
