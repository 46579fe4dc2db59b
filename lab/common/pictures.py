"""Draws figures, each in light and in dark colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.model import Medians

from lab.common.model import Figure, Point

_THEMES = {
    "light": {"ground": "#ffffff", "text": "#1f2937", "grid": "#e5e7eb", "cord": "#c2410c"},
    "dark": {"ground": "#0d1117", "text": "#e6edf3", "grid": "#30363d", "cord": "#f97316"},
}
_OTHERS = {
    "light": ("#2563eb", "#15803d", "#7e22ce", "#a16207", "#0e7490", "#be185d", "#64748b"),
    "dark": ("#60a5fa", "#4ade80", "#c084fc", "#facc15", "#22d3ee", "#f472b6", "#94a3b8"),
}
_CORD = {"light": ("#c2410c", "#ea7a3c", "#7c2d12"), "dark": ("#f97316", "#fdba74", "#c2410c")}
_MARKERS = "osD^vP*X"
_PUBLISHED = re.compile(r"\(\d{4}\)$")


def draw(figure: Figure, found: Medians, folder: Path) -> bool:
    """Draw a figure into two SVG files; false if there is nothing to draw."""
    lines = {name: sorted(points) for name, points in figure.lines(found).items() if points}
    if not lines:
        return False
    import matplotlib as mpl

    mpl.use("svg")
    folder.mkdir(parents=True, exist_ok=True)
    for theme in _THEMES:
        _draw(figure, lines, theme, folder / f"{figure.name}-{theme}.svg")
    return True


def _draw(figure: Figure, lines: Mapping[str, list[Point]], theme: str, path: Path) -> None:
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    colours = _THEMES[theme]
    text = dict.fromkeys(
        ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor"),
        colours["text"],
    )
    grounds = dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor"), colours["ground"]
    )
    own = {
        "svg.hashsalt": figure.name,
        "svg.fonttype": "none",
        "font.size": 9,
        "grid.color": colours["grid"],
    }
    with mpl.rc_context({**text, **grounds, **own}):
        drawn, axes = plt.subplots(figsize=(7, 4), layout="constrained")
        ours, others = iter(_CORD[theme] * 4), iter(_OTHERS[theme] * 4)
        for number, (name, points) in enumerate(lines.items()):
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                label=name,
                color=next(ours) if name.startswith("Cord") else next(others),
                linestyle="--" if _PUBLISHED.search(name) else "-",
                marker=_MARKERS[number % len(_MARKERS)],
                markersize=4,
                linewidth=2.2 if name.startswith("Cord") else 1.2,
            )
        if "x" in figure.logarithmic:
            axes.set_xscale("log")
        if "y" in figure.logarithmic:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.set_title(figure.title)
        axes.set_xlabel(figure.across)
        axes.set_ylabel(figure.up)
        axes.grid(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        drawn.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(drawn)


def markdown(figure: Figure, folder: str) -> list[str]:
    """What shows a figure on light and dark pages."""
    path = f"{folder}/{figure.name}"
    return [
        "<picture>",
        f'<source media="(prefers-color-scheme: dark)" srcset="{path}-dark.svg">',
        f'<img alt="{figure.title}" src="{path}-light.svg">',
        "</picture>",
        "",
    ]
