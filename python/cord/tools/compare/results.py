"""The results: as figures, as a table with what differs, and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from cord.plan.problems import listing
from cord.tools.compare.noise import is_noise, ratio_interval
from cord.tools.trials.differences import told

if TYPE_CHECKING:
    from rich.table import Table

    from cord.tools.compare.measure import Measured


@dataclass(frozen=True, slots=True)
class Figures:
    """What the times of one way say, beside those of plain Python.

    Attributes:
        median: In seconds.
        speedup: How many times as fast as plain Python.
        efficiency: The speed-up for each replica; None for plain Python, and where these are as
            many as the nodes have cores.
        ratio: The time as a part of plain Python's.
        interval: The bounds of that, as far as noise lets them be told; None for plain Python, and
            after one round.
        processor: The median of the processor seconds.
        others: How many cores other programs kept busy on average; None if that is not known.
    """

    median: float
    speedup: float
    efficiency: float | None
    ratio: float
    interval: tuple[float, float] | None
    processor: float
    others: float | None


_TITLES = (
    "",
    "replicas",
    "median",
    "processor",
    "others",
    "speed-up",
    "efficiency",
    "ratio to plain",
    "95 %",
    "output",
)
# Where others keep more of the cores busy than that, it is said.
_BUSY = 0.25


def figures(one: Measured, plain: Measured) -> Figures:
    """The figures of `one`, whose runs took turns with those of `plain`."""
    speedup = plain.median / one.median
    efficiency = None if one.replicas is None else speedup / one.replicas
    interval = None if one is plain else ratio_interval(one.seconds, plain.seconds)
    others = fmean(one.others) if one.others else None
    ratio, processor = one.median / plain.median, median(one.processor)
    return Figures(one.median, speedup, efficiency, ratio, interval, processor, others)


def table(measured: list[Measured]) -> Table:
    """The table, plain Python first."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in _TITLES:
        made.add_column(title, justify="left" if title in ("", "output") else "right")
    plain, *_ = measured
    digits = 2 if min(one.median for one in measured) >= 1 else 3
    for one in measured:
        figure = figures(one, plain)
        made.add_row(
            one.name,
            "-" if one.replicas is None else str(one.replicas),
            f"{figure.median:.{digits}f} s",
            f"{figure.processor:.{digits}f} s",
            "-" if figure.others is None else f"{figure.others:.1f}",
            f"{figure.speedup:.2f}",
            "-" if figure.efficiency is None else f"{figure.efficiency:.2f}",
            f"{figure.ratio:.2f}",
            "-" if figure.interval is None else "{:.2f} to {:.2f}".format(*figure.interval),
            _output(one, plain),
        )
    return made


def _output(one: Measured, plain: Measured) -> str:
    if one.unlike:
        return "differs"
    return "" if one is plain else "same"


def remarks(measured: list[Measured]) -> list[str]:
    """What is to be said below the table, as lines: a failing program, and what differs."""
    plain, *variants = measured
    lines = []
    if plain.status:
        reason = f": {plain.last_line}" if plain.last_line else ""
        lines += ["", f"In plain Python the program ends with exit status {plain.status}{reason}"]
    if plain.unlike:
        lines += ["", "The plain program itself does not give the same each time:"]
        lines += _first_unlike(plain, "first")
        lines += ["", "That depends on the clock, on chance or on something outside."]
    for one in variants:
        if one.unlike:
            runs = f"{len(one.unlike)} of {len(one.seconds)} runs"
            lines += ["", f"{one.name}: not the same as plain in {runs}:"]
            lines += _first_unlike(one, plain.name)
    return lines


def doubts(measured: list[Measured], cores: int) -> list[str]:
    """What the times do not tell, as lines: differences that may be noise, a busy machine.

    Args:
        measured: What was measured, plain Python first.
        cores: How many cores Cord may use.
    """
    plain, *variants = measured
    lines = []
    if len(plain.seconds) < 2:
        lines.append("One round tells nothing of noise: a small difference may be none.")
    same = [one.name for one in variants if is_noise(figures(one, plain).interval)]
    if same:
        lines.append(f"Within the noise of these rounds: {listing(same)} beside {plain.name}.")
    fastest = min(variants, key=lambda one: one.median, default=plain)
    beside = [
        one.name
        for one in variants
        if one is not fastest and is_noise(ratio_interval(one.seconds, fastest.seconds))
    ]
    if beside and fastest.name not in same:
        said = f"{listing(beside)} beside {fastest.name}, the fastest"
        lines.append(f"Within the noise of these rounds: {said}.")
    if lines and len(plain.seconds) > 1:
        lines.append("More rounds (--repeat) tell smaller differences.")
    others = [load for one in measured for load in one.others]
    if others and fmean(others) > _BUSY * cores:
        lines.append(
            f"Other programs kept {fmean(others):.1f} cores of this machine busy on average: the "
            "times are longer than they would be without them."
        )
    return ["", *lines] if lines else []


def _first_unlike(one: Measured, other: str) -> list[str]:
    number, found = one.unlike[0]
    return told(found, (other, f"{one.name}, round {number}"))


def as_json(measured: list[Measured]) -> dict[str, Any]:
    """All that was measured, for programs to read."""
    plain, *variants = measured
    return {
        "plain": _entry(plain, plain),
        "variants": [{"name": one.name, **_entry(one, plain)} for one in variants],
    }


def _entry(one: Measured, plain: Measured) -> dict[str, Any]:
    known = figures(one, plain)
    return {
        "replicas": one.replicas,
        "seconds": one.seconds,
        "processor_seconds": one.processor,
        **asdict(known),
        "noise": None if known.interval is None else is_noise(known.interval),
        "exit_status": one.status,
        "same": not one.unlike,
        "differences": [
            {"round": number, "where": found.where, "plain": found.plain, "here": found.cord}
            for number, all_found in one.unlike
            for found in all_found
        ],
    }
