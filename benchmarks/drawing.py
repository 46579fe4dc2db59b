"""Pictures as SVG files: small ones, whose text is text.

They are readable on light and dark pages: each has a ground of its own, and asks the reader's
system which.
"""

from __future__ import annotations

import math
from html import escape

WIDTH, RIGHT = 760, 60
BAR = 22
COLOURS = 8

STYLE = """
svg { font: 13px system-ui, sans-serif; } text { fill: #1f2937; }
rect, path { fill: currentColor; } polyline { fill: none; stroke: currentColor; stroke-width: 1.5; }
path { stroke: currentColor; stroke-width: 6; stroke-linecap: round; }
.ground { color: #ffffff; } .soft { fill: #6b7280; }
.grid { stroke: #e5e7eb; } .lane { color: #f3f4f6; }
.plain { color: #94a3b8; } .hand { color: #64748b; }
.cord { color: #c2410c; } .other { color: #fdba74; }
.c0 { color: #c2410c; } .c1 { color: #2563eb; } .c2 { color: #15803d; }
.c3 { color: #a16207; } .c4 { color: #7e22ce; } .c5 { color: #0e7490; } .c6 { color: #be185d; }
.c7 { color: #4d7c0f; } .vain { opacity: 0.3; } .dashed { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .ground { color: #0d1117; } .soft { fill: #9ca3af; }
.grid { stroke: #30363d; } .lane { color: #161b22; }
.plain { color: #64748b; } .hand { color: #94a3b8; }
.cord { color: #f97316; } .other { color: #9a4a1c; }
.c0 { color: #f97316; } .c1 { color: #60a5fa; } .c2 { color: #4ade80; }
.c3 { color: #facc15; } .c4 { color: #c084fc; } .c5 { color: #22d3ee; }
.c6 { color: #f472b6; } .c7 { color: #a3e635; }
}
""".strip()


class Drawing:
    """The elements of a picture, from top to bottom; `y` is where the next one goes.

    Args:
        left: Where what is drawn begins; names stand before it.
    """

    def __init__(self, left: float = 130.0) -> None:
        self.left = left
        self.scale = 1.0
        self.elements: list[str] = []
        self.y = 10.0

    def fit(self, length: float) -> None:
        """Let this take the whole width from here on: so many seconds, mostly."""
        self.scale = (WIDTH - self.left - RIGHT) / length

    def at(self, place: float) -> float:
        """Where a moment is."""
        return self.left + place * self.scale

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """Write something."""
        words = f'x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"'
        self.elements.append(f"<text {words}>{escape(text)}</text>")

    def box(self, begin: float, end: float, height: float, kind: str) -> None:
        """Draw a box from one moment to another."""
        width = max((end - begin) * self.scale, 0.4)
        place = f'x="{self.at(begin):.1f}" y="{self.y:.1f}"'
        self.elements.append(
            f'<rect {place} width="{width:.1f}" height="{height}" class="{kind}"/>'
        )

    def line(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a line of the grid, behind all that is there."""
        ends = f'x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        self.elements.insert(0, f'<line {ends} class="grid"/>')

    def bar(self, name: str, length: float, kind: str, label: str) -> None:
        """Draw a bar with its name before it, and a label behind it."""
        middle = self.y + BAR * 0.62
        self.text(self.left - 8, middle, name, anchor="end")
        self.box(0, length, BAR - 6, kind)
        self.text(self.at(length) + 5, middle, label)
        self.y += BAR

    def told(self, x: float, kind: str, text: str) -> None:
        """Say what a colour stands for."""
        place = f'x="{x:.1f}" y="{self.y:.1f}"'
        self.elements.append(f'<rect {place} width="10" height="10" class="{kind}"/>')
        self.text(x + 16, self.y + 10, text, "soft")

    def axis(self, seconds: float, top: float) -> None:
        """Draw lines for the seconds, from `top` on, and number them."""
        for second in steps(seconds):
            x = self.at(second)
            self.line((x, top), (x, self.y))
            self.text(x, self.y + 15, f"{second:g} s", "soft", "middle")
        self.y += 26

    def whole(self, title: str) -> str:
        """The file."""
        size = f'width="{WIDTH}" height="{self.y:.0f}" viewBox="0 0 {WIDTH} {self.y:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        ground = '<rect width="100%" height="100%" rx="6" class="ground"/>'
        about = f"<title>{escape(title)}</title>\n<style>{STYLE}</style>"
        return "\n".join([head, about, ground, *self.elements, "</svg>", ""])


def steps(most: float) -> list[float]:
    """What is numbered on an axis from 0 on: four to eight multiples of 1, 2 or 5 of some power."""
    power = 10.0 ** math.floor(math.log10(most / 4))
    step = next(power * one for one in (1, 2, 5, 10) if most / (power * one) <= 8)
    return [number * step for number in range(math.floor(most / step) + 1)]
