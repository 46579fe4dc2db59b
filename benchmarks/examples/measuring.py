"""Runs an example in all ways, in turns, and once more to see what its replicas do."""

from __future__ import annotations

import os
import tempfile
from contextlib import chdir
from dataclasses import dataclass
from functools import partial

from benchmarks.examples.listed import Example
from cord.plan import program as programs
from cord.plan.read import read_variants
from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured, Way, measure
from cord.tools.compare.progress import progress
from cord.tools.trace.reading import Trace
from cord.tools.trials.trials import Trials

BY_HAND = "by hand"
NANO = 1e9


@dataclass(frozen=True, slots=True)
class Ran:
    """A call that a replica has run: where it stands, on which row, from when until when.

    Times are seconds since the replicas were asked for; `wanted` is false of one made in vain.
    """

    place: str
    row: tuple[str, int]
    begin: float
    end: float
    wanted: bool


def measured(example: Example, rounds: int) -> tuple[list[Measured], list[Ran]]:
    """Measure an example: plain, by hand if it is written so, and under each variant of its plan.

    Args:
        example: The example.
        rounds: How often each way is run.

    Returns:
        What was seen of each way, plain Python first; and what the replicas ran in one run more,
        under the plan without a variant.
    """
    with chdir(example.folder), tempfile.TemporaryDirectory(prefix="cord-examples-") as scratch:
        program = programs.script(example.program)
        plans = read_variants(None, [], program, None)
        plan = plans[BASE].path
        trials = Trials(program, [], plan, [], b"", scratch)
        ways = [Way(PLAIN, None, trials.plain)]
        if example.by_hand:
            ways.append(Way(BY_HAND, None, partial(trials.run, [example.by_hand[0]])))
        ways += [Way(name, one.replicas, partial(trials.cord, name)) for name, one in plans.items()]
        trials.plain()  # makes what the example works on, if it makes it by itself
        with progress(rounds, len(ways)) as told:
            found = measure(ways, rounds, told)
        trace = os.path.join(scratch, "run.trace")
        trials.cord(BASE, "--trace", trace)
        return found, traced(Trace.read(trace))


def traced(trace: Trace) -> list[Ran]:
    """What the replicas ran, by the time of its begin."""
    calls = trace.calls
    ran = []
    for _, place, module, _, run, _, outcome in trace.traced.calls():
        if run is not None:
            begin, end, replica = run
            name = trace.modules[module]
            wanted = outcome == "answered"
            ran.append(
                Ran(calls.get(place, name), (name, replica), begin / NANO, end / NANO, wanted)
            )
    return sorted(ran, key=lambda one: one.begin)
