"""Measures the examples, and writes tables, pictures and gains anew: `make example-figures`."""

from __future__ import annotations

import argparse
import os
import sys

from benchmarks import machine, page
from benchmarks.choosing import chosen
from benchmarks.examples.listed import EXAMPLES, Example
from benchmarks.examples.measuring import measured
from benchmarks.examples.pages import QUIET, best, others_busy, section, with_gain
from benchmarks.examples.picture import draw
from benchmarks.places import ROOT
from benchmarks.running import say


def main() -> int:
    """Read the command line, and measure; returns the exit status: 1 if outputs differ."""
    parser = argparse.ArgumentParser(prog="benchmarks.examples", description=__doc__)
    parser.add_argument("--only", default="", help="names of examples, with commas; none: all")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way runs")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    # as a reader's shell has it
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH"):
        os.environ.pop(name, None)
    alike = [
        _renew(example, arguments.rounds) for example in chosen(arguments.only, EXAMPLES, "example")
    ]
    return 0 if all(alike) else 1


def _renew(example: Example, rounds: int) -> bool:
    """Measure an example and write what comes of it; whether all ways showed the same."""
    say(f"== {example.name}")
    facts = machine.facts()
    found, ran = measured(example, rounds)
    example.picture.parent.mkdir(parents=True, exist_ok=True)
    example.picture.write_text(draw(f"examples/{example.name}", found, ran))
    text = page.inserted(example.page.read_text(), section(example, found, facts))
    example.page.write_text(text)
    readme, gain = ROOT / "README.md", best(found)
    print(f"{example.name}: {gain}", flush=True)
    if others_busy(found) <= QUIET:
        readme.write_text(with_gain(readme.read_text(), example, gain))
    else:
        say("the machine was not quiet: the gain in README.md stays as it is")
    unlike = [one.name for one in found if one.unlike]
    if unlike:
        say(f"not the same output: {', '.join(unlike)}")
    return not unlike


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
