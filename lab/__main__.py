"""Runs papers again and writes lab/README.md: `python -m lab sort --short`, `make lab`."""

from __future__ import annotations

import argparse
import os
import sys

from benchmarks.choosing import chosen
from benchmarks.model import Result
from benchmarks.running import adopt_orphans, say

from lab.common import report
from lab.common.building import build
from lab.common.lessons import write as write_lessons
from lab.common.measuring import measured
from lab.common.model import Paper
from lab.papers import PAPERS


def main() -> int:
    """Read the command line, measure, write the report; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    names = ", ".join(paper.name for paper in PAPERS)
    parser.add_argument("papers", nargs="*", help=f"which ones: {names}; none: all")
    parser.add_argument("--short", action="store_true", help="smaller sizes and fewer systems")
    parser.add_argument("--rounds", type=int, help="how often each system runs (1 short, 3 full)")
    parser.add_argument("--only", default="", help="names of experiments, with commas; none: all")
    parser.add_argument("--list", action="store_true", help="show the experiments, run nothing")
    parser.add_argument(
        "--write", action="store_true", help="write the report from the last results"
    )
    arguments = parser.parse_args()
    papers = chosen(",".join(arguments.papers), PAPERS, "paper")
    if arguments.list:
        print("\n".join(_listed(papers)))
        return 0
    rounds = (1 if arguments.short else 3) if arguments.rounds is None else arguments.rounds
    if rounds < 1:
        parser.error("--rounds must be at least 1")
    # as a reader's shell has it
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH"):
        os.environ.pop(name, None)
    found = report.loaded(papers) if arguments.write else {}
    if not arguments.write:
        adopt_orphans()
        for paper in papers:
            found |= _run(paper, arguments.short, rounds, arguments.only)
    for paper in papers:
        report.write(paper, found)
    write_lessons(PAPERS, found)
    print("\n".join(report.verdict_lines(papers, found)))
    return 0


def _listed(papers: list[Paper]) -> list[str]:
    return [
        f"{paper.name:<12}{experiment.name:<12}{experiment.title}"
        for paper in papers
        for experiment in paper.experiments(True)
    ]


def _run(paper: Paper, short: bool, rounds: int, only: str) -> dict[str, Result]:
    """Measure a paper's experiments; what came of it, by the names of files."""
    lacking = build(paper.natives)
    for name, reason in lacking.items():
        say(f"{name}: {reason}")
    wanted = {name.strip() for name in only.split(",") if name.strip()}
    found = {}
    for experiment in paper.experiments(short):
        if not wanted or experiment.name in wanted:
            say(f"== {paper.name}: {experiment.title}")
            result = report.keep(paper, experiment, measured(experiment, rounds, lacking, short))
            found[result.name] = result
    return found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
