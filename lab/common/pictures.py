"""Draws figures: lines through points."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from benchmarks.drawing import RIGHT, WIDTH, Drawing, steps
from benchmarks.model import Medians

from lab.common.model import Figure

HEIGHT, LEFT = 260, 80
IN_A_ROW, APART = 3, 220  # names below, and how far from one another
_OURS = ("cord", "other", "c3")
_OTHERS = ("c1", "c2", "c4", "c5", "c6", "c7", "plain", "hand")
_PUBLISHED = re.compile(r"\(\d{4}\)$")

Scale = Callable[[float], float]


def draw(figure: Figure, found: Medians) -> str | None:
    """A figure, an SVG file; None if there is nothing to draw."""
    lines = {name: sorted(points) for name, points in figure.lines(found).items() if points}
    if not lines:
        return None
    drawing = Drawing(LEFT)
    drawing.text(LEFT, drawing.y + 10, f"{figure.up}, by {figure.across}", "soft")
    drawing.y += 26
    across = _Axis([x for points in lines.values() for x, _ in points], "x" in figure.logarithmic)
    up = _Axis([y for points in lines.values() for _, y in points], "y" in figure.logarithmic, 0.0)
    width, bottom = WIDTH - RIGHT - LEFT, drawing.y + HEIGHT
    for value in across.numbered():
        x = LEFT + width * across.part(value)
        drawing.line((x, drawing.y), (x, bottom))
        drawing.text(x, bottom + 16, _number(value), "soft", "middle")
    for value in up.numbered():
        y = bottom - HEIGHT * up.part(value)
        drawing.line((LEFT, y), (LEFT + width, y))
        drawing.text(LEFT - 8, y + 4, _number(value), "soft", "end")
    for name, kind in _kinds(lines):
        places = [
            f"{LEFT + width * across.part(x):.1f} {bottom - HEIGHT * up.part(y):.1f}"
            for x, y in lines[name]
        ]
        drawing.elements.append(f'<polyline points="{" ".join(places)}" class="{kind}"/>')
        dots = "".join(f"M{place}h0" for place in places)
        drawing.elements.append(f'<path d="{dots}" class="{kind.split()[0]}"/>')
    drawing.y = bottom + 28
    for number, (name, kind) in enumerate(_kinds(lines)):
        drawing.told(LEFT + number % IN_A_ROW * APART, kind.split()[0], name)
        if number % IN_A_ROW == IN_A_ROW - 1 or number == len(lines) - 1:
            drawing.y += 17
    return drawing.whole(figure.title)


class _Axis:
    """Where values stand on an axis, and which of them are numbered.

    Args:
        values: All that are drawn.
        logarithmic: Whether it is.
        least: Where it begins, if it is not logarithmic; none: at the least value.
    """

    def __init__(self, values: list[float], logarithmic: bool, least: float | None = None) -> None:
        self._scale: Scale = math.log if logarithmic else float
        self._logarithmic = logarithmic
        self._least = min(values) if logarithmic or least is None else least
        self._most = max(*values, self._least + 1e-9)

    def part(self, value: float) -> float:
        """How far along the axis a value is, from 0 to 1."""
        least, most = self._scale(self._least), self._scale(self._most)
        return (self._scale(value) - least) / (most - least)

    def numbered(self) -> list[float]:
        """Some round values."""
        if not self._logarithmic:
            return [value for value in steps(self._most) if value >= self._least]
        first, last = math.floor(math.log10(self._least)), math.ceil(math.log10(self._most))
        factors = (1, 2, 5) if last - first <= 2 else (1,)
        found = (factor * 10.0**power for power in range(first, last + 1) for factor in factors)
        return [value for value in found if self._least <= value <= self._most]


def _kinds(lines: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """How each line is drawn, by its name."""
    ours, others = iter(_OURS * 4), iter(_OTHERS * 4)
    for name in lines:
        kind = next(ours if name.startswith("Cord") else others)
        yield name, f"{kind} dashed" if _PUBLISHED.search(name) else kind


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
