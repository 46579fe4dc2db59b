"""Measures Table 1 of CORD's paper over examples/table1, and prints it beside the paper's figures.

Four replicas behave like machines of unequal speed, and each strategy of the paper is a variant of
one cord.toml. The runs take turns. The times are those that the program itself takes for drawing,
without the start and the end of processes. The exit status is 0 if all runs drew the same picture.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from cord.errors import CordError
from cord.plan.program import script
from cord.plan.read import read_variants
from cord.plan.variants import PLAIN
from cord.tools.compare.measure import Measured, Way, measure
from cord.tools.compare.progress import progress
from cord.tools.trials.differences import Shown, told
from cord.tools.trials.trials import Trials

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "table1"
PROGRAM = "picture.py"

MACHINES = ("harvey", "rimfire", "thumper", "highpower")
# In seconds, on SPARCstations of 1992; none where the paper has no such run.
PUBLISHED: dict[str, float] = {
    **dict(zip((f"sync-{name}" for name in MACHINES), (216, 103, 86, 57), strict=True)),
    **dict(zip((f"async-{name}" for name in MACHINES), (125, 59, 52, 30), strict=True)),
    "equal-shares": 34,
    "line": 26,
    "ring": 17,
}
TOGETHER = {
    "equal-shares": "type 1: equal static shares",
    "line": "type 2: migration along a line",
    "ring": "type 3: migration round a ring",
    "async-demand": "async-demand(1)",
    "priority": "async-demand(1), long rows first",
}

Times = Mapping[str, float]


def ideal(times: Times) -> float:
    """The time of all machines together if none ever waits: their rates alone added up."""
    return 1 / sum(1 / times[f"async-{name}"] for name in MACHINES)


def drawing_time(shown: Shown) -> Shown:
    """The same run with the time that the program says it took for drawing, if it says so."""
    found = re.match(rb"drawn in ([0-9.]+) s\n", shown.stderr)
    return replace(shown, seconds=float(found[1])) if found is not None else shown


def alone_lines(times: Times) -> list[str]:
    """The part of the table on single machines."""
    lines = [f"{'one server, in s':<34}" + "".join(f"{name:>18}" for name in MACHINES)]
    lines.append(" " * 34 + f"{'here':>10}{'paper':>8}" * len(MACHINES))
    for style in ("sync", "async"):
        names = [f"{style}-{machine}" for machine in MACHINES]
        cells = [f"{times[name]:>10.2f}{PUBLISHED[name]:>8.0f}" for name in names]
        lines.append(f"{style:<34}" + "".join(cells))
    return lines


def together_lines(times: Times) -> list[str]:
    """The part of the table on all machines together."""
    lines = [f"{'all four servers, in s':<34}{'here':>10}{'paper':>8}{'of the ideal':>20}"]
    best, published_best = ideal(times), ideal(PUBLISHED)
    for name, title in TOGETHER.items():
        figure = PUBLISHED.get(name)
        paper = f"{figure:>8.0f}" if figure else f"{'-':>8}"
        ratio = f"{figure / published_best:>8.2f}" if figure else f"{'-':>8}"
        lines.append(f"{title:<34}{times[name]:>10.2f}{paper}{times[name] / best:>12.2f}{ratio}")
    lines.append(f"{'ideal: the async rates added up':<34}{best:>10.2f}{published_best:>8.1f}")
    return lines


def shape_lines(times: Times) -> list[str]:
    """Whether the figures stand to one another as the paper's do."""
    slowest = max(times[f"async-{name}"] for name in MACHINES) / len(MACHINES)
    checks = {
        "async < sync on each": all(
            times[f"async-{name}"] < times[f"sync-{name}"] for name in MACHINES
        ),
        f"type 1 is the slowest machine's time / 4 ({times['equal-shares'] / slowest:.2f} of it)": (
            0.9 < times["equal-shares"] / slowest < 1.1
        ),
        "type 3 < type 2 < type 1": times["ring"] < times["line"] < times["equal-shares"],
        "async-demand is within 5 % of the ideal": times["async-demand"] < 1.05 * ideal(times),
    }
    return [f"{'yes' if holds else 'NO':<5}{claim}" for claim, holds in checks.items()]


def report(measured: list[Measured], say: Callable[[str], None]) -> bool:
    """Print the tables; tells whether all runs showed the same."""
    times = {one.name: one.median for one in measured}
    parts = (alone_lines(times), together_lines(times), shape_lines(times))
    say("\n\n".join("\n".join(part) for part in parts))
    unlike = [one for one in measured if one.unlike]
    for one in unlike:
        number, found = one.unlike[0]
        say("\n".join(told(found, (PLAIN, f"{one.name}, round {number}"))))
    if not unlike:
        say(f"\nThe same picture from all runs; in plain Python it takes {times[PLAIN]:.2f} s.")
    return not unlike


def main() -> int:
    """Measure and print; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--rows", type=int, default=200, help="rows of the picture (default: 200)")
    arguments = parser.parse_args()
    os.chdir(FOLDER)
    program = script(PROGRAM)
    plans = read_variants("cord.toml", [], program, [*PUBLISHED, *(TOGETHER.keys() - PUBLISHED)])
    with tempfile.TemporaryDirectory(prefix="cord-table1-") as scratch:
        # Each run has a fresh copy of the folder, but need not compile and translate it again.
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(scratch, "bytecode")
        words = ["--rows", str(arguments.rows)]
        trials = Trials(program, words, "cord.toml", [], b"", scratch)

        def way(name: str, replicas: int | None) -> Way:
            run = trials.plain if replicas is None else lambda: trials.cord(name)
            return Way(name, replicas, lambda: drawing_time(run()))

        ways = [way(PLAIN, None), *(way(name, plan.replicas) for name, plan in plans.items())]
        with progress(arguments.repeat, len(ways)) as heard:
            measured = measure(ways, arguments.repeat, heard)
    return 0 if report(measured, print) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CordError as error:
        sys.exit(f"table1: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
