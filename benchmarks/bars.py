"""A figure for each row: bars, Cord's in another colour."""

from __future__ import annotations

import math

from benchmarks.drawing import Drawing
from benchmarks.model import CORD, Result, Row
from benchmarks.verdicts import medians

_LOGARITHMIC = 30.0  # from this ratio on, the small ones would not be seen otherwise
_NAMES = 270.0  # the width of the longest

Bar = tuple[str, float]


def bars(row: Row, result: Result) -> list[Bar]:
    """What is drawn: the first measure of each contender, or all measures of the only one."""
    found = medians(result.measured).by_name
    if len(row.contenders) == 1:
        measures = found.get(row.contenders[0].name, {})
        return [
            (column.title, measures[column.measure] * column.scale)
            for column in row.columns
            if column.measure in measures
        ]
    first = row.columns[0]
    return [
        (name, measures[first.measure] * first.scale)
        for name, measures in found.items()
        if first.measure in measures
    ]


def draw(row: Row, result: Result) -> str | None:
    """A row's figure, an SVG file; None if there is nothing to draw."""
    found = bars(row, result)
    if not found:
        return None
    values = [value for _, value in found]
    logarithmic = max(values) > _LOGARITHMIC * min(values) > 0
    least = min(values) / 2
    lengths = [math.log(value / least) if logarithmic else value for value in values]
    drawing = Drawing(_NAMES)
    drawing.fit(max(lengths) or 1.0)
    for (name, value), length in zip(found, lengths, strict=True):
        drawing.bar(name, length, "cord" if name.startswith(CORD) else "hand", _label(value))
    unit = "" if len(row.contenders) == 1 else row.columns[0].title
    told = ", ".join(part for part in (unit, "logarithmic" if logarithmic else "") if part)
    drawing.text(drawing.left, drawing.y + 12, told, "soft")
    drawing.y += 22
    return drawing.whole(row.title)


def _label(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
