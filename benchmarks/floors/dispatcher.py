"""Runs the microbenchmark of the dispatcher, and prints what criterion measured."""

import json
import os
import subprocess
import sys
from pathlib import Path

from timing import report

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Run `cargo bench`, and collect the medians, in seconds for one call."""
    home = Path(os.environ["BENCH_BUILD"]) / "criterion"
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "cord-core", "--bench", "dispatcher"]
    environment = {**os.environ, "CRITERION_HOME": str(home)}
    subprocess.run(command, cwd=ROOT, env=environment, stdout=sys.stderr, check=True)
    measured = {}
    for found in home.glob("*/*/new/estimates.json"):
        group, number = found.parts[-4], found.parts[-3]
        estimate = json.loads(found.read_text())["median"]["point_estimate"]
        measured[f"{group}-{number}"] = estimate * 1e-9
    report(**measured)


if __name__ == "__main__":
    main()
