"""The curves as a picture: plain SVG, which opens anywhere."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.tools.predict.sweep import Point

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 220, 70, 40
_STYLE = """\
<style>
 svg { font: 12px sans-serif; color-scheme: light dark; background: Canvas; }
 text { fill: CanvasText; } .axis { stroke: GrayText; fill: none; }
 .curve { stroke: #2a78d6; stroke-width: 2; fill: none; } circle { fill: #2a78d6; }
 .knee { stroke: #d6602a; stroke-dasharray: 4 3; }
</style>"""


def svg(title: str, points: list[Point], knee: int, noun: str = "replicas") -> str:
    """The time, the speed-up and the efficiency by the number of replicas, one above the other.

    Args:
        title: What it is of.
        points: At least one.
        knee: From so many replicas on there is nothing more to gain.
        noun: What their number is of.
    """
    panels: list[tuple[str, Callable[[Point], float], bool]] = [
        ("time, s", lambda point: point.predicted.seconds, True),
        ("speed-up", lambda point: point.speedup, True),
        ("efficiency", lambda point: point.efficiency, False),
    ]
    height = _TOP + len(panels) * (_HEIGHT + 50)
    width = _LEFT + _WIDTH + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        _STYLE,
        f'<text x="{_LEFT}" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    for number, (name, of, is_logarithmic) in enumerate(panels):
        top = _TOP + number * (_HEIGHT + 50)
        parts += _panel(name, top, [(one.replicas, of(one)) for one in points], is_logarithmic)
        right, below = _LEFT + _WIDTH, top + _HEIGHT + 32
        parts.append(f'<text x="{right}" y="{below}" text-anchor="end">{noun}</text>')
        x = _across(points, knee)
        parts.append(f'<path class="knee" d="M{x:.1f} {top}V{top + _HEIGHT}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _across(points: list[Point], replicas: int) -> float:
    return _LEFT + _part(replicas, points[0].replicas, points[-1].replicas, True) * _WIDTH


def _part(value: float, low: float, high: float, is_logarithmic: bool) -> float:
    """Where a value is between two others."""
    if is_logarithmic:
        value, low, high = (math.log(max(one, 1e-9)) for one in (value, low, high))
    return (value - low) / (high - low) if high > low else 0.5


def _panel(name: str, top: int, values: list[tuple[int, float]], is_logarithmic: bool) -> list[str]:
    ys = [value for _, value in values]
    low, high = (min(ys), max(ys)) if is_logarithmic else (0.0, max(1.0, *ys))
    first, last = values[0][0], values[-1][0]
    bottom = top + _HEIGHT
    parts = [
        f'<path class="axis" d="M{_LEFT} {top}V{bottom}H{_LEFT + _WIDTH}"/>',
        f'<text x="{_LEFT + 6}" y="{top + 12}">{name}</text>',
        f'<text x="{_LEFT - 6}" y="{top + 10}" text-anchor="end">{high:.3g}</text>',
        f'<text x="{_LEFT - 6}" y="{bottom}" text-anchor="end">{low:.3g}</text>',
    ]
    dots = []
    for replicas, value in values:
        x = _LEFT + _part(replicas, first, last, True) * _WIDTH
        y = bottom - _part(value, low, high, is_logarithmic) * _HEIGHT
        dots.append((x, y))
        told = f"{replicas} replicas: {value:.4g}"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{told}</title></circle>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    parts.append(f'<polyline class="curve" points="{path}"/>')
    for replicas in sorted({first, last, values[len(values) // 2][0]}):
        x = _LEFT + _part(replicas, first, last, True) * _WIDTH
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{replicas}</text>')
    return parts
