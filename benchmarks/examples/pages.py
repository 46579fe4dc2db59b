"""Results to Markdown: the table of an example, and the gains in the project's README."""

from __future__ import annotations

import re
from statistics import fmean

from benchmarks.examples.listed import Example
from benchmarks.examples.measuring import BY_HAND
from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured
from cord.tools.compare.results import figures

# More cores than that which other programs keep busy spoil the figures.
QUIET = 0.25


def others_busy(found: list[Measured]) -> float:
    """How many cores other programs kept busy meanwhile, on average."""
    return fmean(one for way in found for one in way.others or [0.0])


def section(example: Example, found: list[Measured], facts: dict[str, str]) -> str:
    """What stands between the markers of an example's page."""
    plain = found[0]
    titles = ["", "replicas", "seconds", "gain", "95 %", "processor seconds"]
    lines = _lines(example)
    if lines:
        titles.append("lines of code")
    table = [f"| {' | '.join(titles)} |", "|---|" + "--:|" * (len(titles) - 1)]
    for one in found:
        figure = figures(one, plain)
        bounds = figure.interval
        cells = [
            _title(one),
            "" if one.replicas is None else str(one.replicas),
            f"{one.median:.2f}",
            "" if one is plain else f"{figure.speedup:.2f}",
            "" if bounds is None else f"{1 / bounds[1]:.2f} to {1 / bounds[0]:.2f}",
            f"{figure.processor:.2f}",
        ]
        if lines:
            cells.append(lines.get(one.name, ""))
        table.append(f"| {' | '.join(cells)} |")
    rounds = f"{len(plain.seconds)} round{'' if len(plain.seconds) == 1 else 's'}"
    others = others_busy(found)
    shown = f"![Times of all ways, and what the replicas ran]({example.picture.name})"
    notes = [
        *([shown, ""] if example.shown else []),
        f"{rounds} in turns, the medians; {facts['machine']}; Python {facts['python']}; "
        f"{facts['date']}. Other programs kept {others:.1f} cores busy meanwhile.",
    ]
    if others > QUIET:
        notes += ["", "**The machine was not quiet: these figures say little.**"]
    return "\n".join([*table, "", *notes])


def _title(one: Measured) -> str:
    titles = {PLAIN: "`python`", BY_HAND: "by hand", BASE: "**`cord run`**"}
    return titles.get(one.name, f"`{one.name}`")


def _lines(example: Example) -> dict[str, str]:
    """What each way's code is long, where one is written by hand."""
    if not example.by_hand:
        return {}
    source = example.lines(example.source)
    plan = example.lines(("cord.toml",))
    by_hand = example.lines(example.by_hand)
    return {PLAIN: str(source), BY_HAND: str(by_hand), BASE: f"{source} + {plan} of the plan"}


def best(found: list[Measured]) -> str:
    """The largest gain of Cord, with the variant that has it."""
    plain, ours = found[0], [one for one in found[1:] if one.name != BY_HAND]
    fastest = min(ours, key=lambda one: one.median)
    base = next((one for one in ours if one.name == BASE), fastest)
    # what is not clearly better than the plan itself is not worth a name
    if base.median <= 1.1 * fastest.median:
        return f"{plain.median / base.median:.1f}"
    return f"{plain.median / fastest.median:.1f} (`{fastest.name}`)"


def with_gain(readme: str, example: Example, gain: str) -> str:
    """The project's README with another gain in the last cell of an example's row.

    Raises:
        ValueError: The example has no row.
    """
    row = re.compile(rf"^(\| \[{example.name}\]\(.*\|)[^|\n]*\|$", re.MULTILINE)
    changed, count = row.subn(rf"\g<1> {gain} |", readme)
    if count != 1:
        raise ValueError(f"the README has {count} rows of {example.name}")
    return changed
