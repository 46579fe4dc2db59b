"""A figure for each row: bars, Cord's in another colour."""

from __future__ import annotations

from pathlib import Path

from benchmarks.model import CORD, Result, Row
from benchmarks.verdicts import medians

_OURS, _OTHERS = "#c2410c", "#64748b"
_LOGARITHMIC = 30.0  # from this ratio on, the small ones would not be seen otherwise

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


def draw(row: Row, result: Result, path: Path) -> bool:
    """Draw a row into an SVG file; false if there is nothing to draw."""
    found = bars(row, result)
    if not found:
        return False
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": row.name, "font.size": 9})
    from matplotlib import pyplot as plt

    names, values = [name for name, _ in found], [value for _, value in found]
    figure, axes = plt.subplots(figsize=(7, 0.8 + 0.26 * len(found)), layout="constrained")
    colours = [_OURS if name.startswith(CORD) else _OTHERS for name in names]
    drawn = axes.barh(range(len(found)), values, color=colours)
    axes.bar_label(drawn, [f"{value:,.3g}" for value in values], padding=3)
    axes.set_yticks(range(len(found)), names)
    axes.invert_yaxis()
    if max(values) > _LOGARITHMIC * min(values) > 0:
        axes.set_xscale("log")
    axes.margins(x=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("" if len(row.contenders) == 1 else row.columns[0].title)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return True
