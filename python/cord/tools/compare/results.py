"""The results: as figures, as a table with what differs, and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

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
    """

    median: float
    speedup: float
    efficiency: float | None
    ratio: float


def figures(one: Measured, plain: Measured) -> Figures:
    """The figures of `one`, whose runs took turns with those of `plain`."""
    speedup = plain.median / one.median
    efficiency = None if one.replicas is None else speedup / one.replicas
    return Figures(one.median, speedup, efficiency, one.median / plain.median)


def table(measured: list[Measured]) -> Table:
    """The table, plain Python first."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("", "replicas", "median", "speed-up", "efficiency", "ratio to plain", "output"):
        made.add_column(title, justify="left" if title in ("", "output") else "right")
    plain, *_ = measured
    shortest = min(one.median for one in measured)
    for one in measured:
        figure = figures(one, plain)
        made.add_row(
            one.name,
            "-" if one.replicas is None else str(one.replicas),
            f"{figure.median:.{2 if shortest >= 1 else 3}f} s",
            f"{figure.speedup:.2f}",
            "-" if figure.efficiency is None else f"{figure.efficiency:.2f}",
            f"{figure.ratio:.2f}",
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
    return {
        "replicas": one.replicas,
        "seconds": one.seconds,
        **asdict(figures(one, plain)),
        "exit_status": one.status,
        "same": not one.unlike,
        "differences": [
            {"round": number, "where": found.where, "plain": found.plain, "here": found.cord}
            for number, all_found in one.unlike
            for found in all_found
        ],
    }
