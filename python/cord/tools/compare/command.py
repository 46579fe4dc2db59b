"""The command: sets the runs up, and prints what comes of them."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured, Way, measure
from cord.tools.compare.progress import progress
from cord.tools.compare.results import as_json, doubts, remarks, table
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.trials import Trials, standard_input

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program

_WIDE = 1000


def compare(
    plans: dict[str, Plan],
    program: Program,
    args: list[str],
    settings: list[str],
    *,
    repeat: int,
    as_data: bool,
) -> int:
    """Run a program plain and under each plan, in turns, and print how long each took.

    Args:
        plans: The plans, by the names of their variants, all of one file; at least one.
        program: The program.
        args: Its own arguments.
        settings: The settings given with `--set`.
        repeat: How often each way is run.
        as_data: Whether to print JSON instead of a table.

    Returns:
        The exit code: 0 if all runs show the same, else 1.

    Raises:
        CordError: The working directory is too large to be copied.
    """
    path = next(iter(plans.values())).path
    with scratch_folder("compare") as scratch:
        trials = Trials(program, args, path, settings, standard_input(), scratch)
        ways = [Way(PLAIN, None, trials.plain)]
        ways += [
            Way(name, plan.replicas, partial(trials.cord, name)) for name, plan in plans.items()
        ]
        with progress(repeat, len(ways)) as told:
            measured = measure(ways, repeat, told)
    cores = len(os.sched_getaffinity(0))
    if as_data:
        facts = {"program": program.name, "arguments": args, "plan": path, "settings": settings}
        data = {**facts, "rounds": repeat, "cores": cores, **as_json(measured)}
        print(json.dumps(data, indent=2))
    else:
        rounds = f"{repeat} round{'' if repeat == 1 else 's'}"
        print(f"{program.name}: {rounds} on {cores} core{'' if cores == 1 else 's'}\n")
        _print_table(measured)
        for line in doubts(measured, cores):
            print(line)
        _print_remarks(measured)
    return 1 if any(one.unlike for one in measured) else 0


def _print_table(measured: list[Measured]) -> None:
    from rich.console import Console

    # Only a terminal has a width that the table must keep to.
    width = None if sys.stdout.isatty() else _WIDE
    console = Console(markup=False, highlight=False, width=width)
    with console.capture() as drawn:
        console.print(table(measured))
    for line in drawn.get().splitlines():
        print(line.rstrip())


def _print_remarks(measured: list[Measured]) -> None:
    for line in remarks(measured):
        print(line)
    plain, *variants = measured
    unlike = [one.name for one in variants if one.unlike]
    if unlike and not plain.unlike:
        choice = "" if unlike[0] == BASE else f" --variant {unlike[0]}"
        print(f"\nhint: cord verify{choice} names the rule that is likely broken")
