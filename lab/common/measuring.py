"""Runs an experiment, and sees that all systems have computed the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from benchmarks.model import Contender, Measured, Result
from benchmarks.rounds import Failed, measure
from benchmarks.running import run, say

from benchmarks import machine
from lab.common.model import Experiment, System

CHECK = "check"


def measured(
    experiment: Experiment, rounds: int, lacking: Mapping[str, str], short: bool
) -> Result:
    """Run all systems of an experiment in turns.

    Args:
        experiment: The experiment.
        rounds: How often each system runs.
        lacking: Why native programs are not there, by name.
        short: Whether it is the short form.

    Returns:
        All samples, and why there are none of some systems.
    """
    facts = {**machine.facts(), "form": "short" if short else "full"}
    systems = {one.contender.name: one for one in experiment.systems}
    once = partial(_run, systems, lacking, experiment.seconds)
    contenders = tuple(one.contender for one in experiment.systems)
    with experiment.around():
        found = measure(contenders, rounds, once, say)
    return Result(experiment.name, rounds, facts, without_unlike(found))


def _run(
    systems: Mapping[str, System], lacking: Mapping[str, str], seconds: float, one: Contender
) -> dict[str, float]:
    system = systems[one.name]
    reasons = [need.missing() for need in system.needs]
    reasons += [lacking.get(native) for native in system.native]
    for reason in reasons:
        if reason is not None:
            raise Failed(reason)
    return run(one, None, seconds)


def without_unlike(found: list[Measured]) -> list[Measured]:
    """The same, but who computed something else than the first one has failed.

    Every measure whose name begins with "check" must be the same in all samples of all systems.
    """
    expected: dict[str, float] = {}
    judged = []
    for one in found:
        unlike = None
        for sample in one.samples:
            for key, value in sample.items():
                if key.startswith(CHECK) and expected.setdefault(key, value) != value:
                    unlike = f"it computed something else ({key})"
        judged.append(replace(one, samples=[], failure=unlike) if unlike else one)
    return judged
