"""Runs examples/dna/search.py plain and under Cord, and compares times and outputs.

The two ways take turns, so that whatever else the machine does meets both. The exit status
is 0 if every run printed the same bytes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "examples/dna/search.py"
PLAN = "examples/dna/cord.toml"


MUCH = 0.1  # of the processors' time, taken by other programs


class Run(NamedTuple):
    """One run of the program.

    Attributes:
        seconds: Its wall-clock time.
        output: What it printed.
        others: The share of the processors' time that other programs took meanwhile.
    """

    seconds: float
    output: bytes
    others: float


class Round(NamedTuple):
    """The program once plain and once under Cord."""

    plain: Run
    cord: Run


def say(text: str, end: str = "\n") -> None:
    """Tell how far the demo is, apart from its result."""
    print(text, end=end, file=sys.stderr, flush=True)


def run(command: list[str]) -> Run:
    """Run a command to its end, in the project's folder.

    Raises:
        SystemExit: The command failed; its own words on stderr have been passed on.
    """
    with tempfile.TemporaryFile() as captured:
        start, busy, own = time.perf_counter(), busy_seconds(), own_seconds()
        status = subprocess.run(command, cwd=ROOT, stdout=captured, check=False).returncode
        seconds = time.perf_counter() - start
        others = busy_seconds() - busy - (own_seconds() - own)
        captured.seek(0)
        output = captured.read()
    if status != 0:
        sys.exit(f"demo: exit status {status} from: {' '.join(command)}")
    return Run(seconds, output, max(0.0, others) / (seconds * (os.cpu_count() or 1)))


def busy_seconds() -> float:
    """The time that all processors of this machine have worked, for whomever."""
    try:
        with open("/proc/stat") as stat:
            user, nice, system = map(int, stat.readline().split()[1:4])
    except (OSError, ValueError):
        return 0.0
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """The processor time of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def announced(name: str, command: list[str]) -> Run:
    """Run a command and show its name before, and its time after."""
    say(f"  {name} ... ", end="")
    result = run(command)
    say(f"{result.seconds:.2f} s")
    return result


def measure(plain: list[str], cord: list[str], rounds: int) -> list[Round]:
    """Run both commands in turn, after one short run of each that nobody measures."""
    short = ["--queries", "1", "--top", "1"]
    run([*plain, *short])
    run([*cord, *short])
    results = []
    for number in range(1, rounds + 1):
        say(f"round {number} of {rounds}")
        results.append(Round(announced("plain", plain), announced("cord ", cord)))
    return results


def show_times(results: list[Round], replicas: int) -> None:
    """Print the table of times; its last line takes the least disturbed run of each kind."""
    heading = f"cord run, {replicas} replica" + "s" * (replicas != 1)
    width = len(heading)
    print(f"\n{'':<10}{'python':>10}   {heading}   {'speed-up':>8}")
    best_plain = min(each.plain.seconds for each in results)
    best_cord = min(each.cord.seconds for each in results)
    rows = [
        (f"round {i}", each.plain.seconds, each.cord.seconds) for i, each in enumerate(results, 1)
    ]
    rows.append(("best", best_plain, best_cord))
    for name, plain, cord in rows:
        print(f"{name:<10}{plain:>8.2f} s   {cord:>{width - 2}.2f} s   {plain / cord:>8.2f}")


def show_others(results: list[Round]) -> None:
    """Say why the speed-up is low, if other programs took much of the processors."""
    took = max(pair.cord.others for pair in results)
    if took > MUCH:
        print(
            f"\nbusy      other programs took {took:.0%} of this machine's processors; "
            "on a quiet one the speed-up is higher"
        )


def same_output(results: list[Round]) -> bool:
    """Print whether all runs printed the same bytes, and return it."""
    outputs = [each.output for pair in results for each in pair]
    expected = outputs[0]
    if all(output == expected for output in outputs):
        print(f"\noutput    the same {len(expected)} bytes from all {len(outputs)} runs")
        return True
    print("\noutput    DIFFERENT: the runs did not print the same bytes")
    return False


def main() -> int:
    """Run the demo and return its exit status."""
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=2, help="runs of each kind")
    parser.add_argument("--queries", type=int, default=12, help="sequences to search for")
    parser.add_argument("--replicas", type=int, default=cores, help="default: one for each core")
    arguments = parser.parse_args()

    program = [PROGRAM, "--queries", str(arguments.queries)]
    replicas = f"remote.compare.replicas={arguments.replicas}"
    cord_run = ["run", "-c", PLAN, "--set", replicas, *program]
    plain = [sys.executable, *program]
    cord = [sys.executable, "-m", "cord", *cord_run]

    say(
        f"Matching {arguments.queries} orchid genes against 94, on {cores} core"
        + "s" * (cores != 1)
    )
    results = measure(plain, cord, arguments.rounds)
    show_times(results, arguments.replicas)
    show_others(results)
    same = same_output(results)
    print(f"\ncompared  python {' '.join(program)}")
    print(f"          cord {' '.join(cord_run)}")
    print(f"next      read README.md; change {PLAN} and run again")
    return 0 if same else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
