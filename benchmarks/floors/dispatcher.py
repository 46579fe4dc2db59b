"""Runs the microbenchmark of the dispatcher, and hands on what it measured."""

import subprocess
from pathlib import Path

from timing import report

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Run `cargo bench`, and read the medians, in seconds for one call."""
    where = ["-p", "cord-dispatch", "--bench", "dispatcher"]
    command = ["cargo", "bench", "--quiet", "--locked", *where]
    ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    lines = (line.split() for line in ran.stdout.splitlines())
    report(**{name: float(seconds) for name, seconds in lines})


if __name__ == "__main__":
    main()
