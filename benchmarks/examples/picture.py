"""The picture of an example: how long each way takes, and what the replicas do meanwhile.

It is an SVG file that is readable on light and dark pages: it has a ground of its own, and asks the
reader's system which.
"""

from __future__ import annotations

import math
from html import escape

from benchmarks.examples.measuring import BY_HAND, Ran
from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured

WIDTH, LEFT, RIGHT = 760, 130, 60
BAR, ROW, THIN = 22, 16, 9
MANY_ROWS = 8  # from this number on, rows of replicas are thin
COLOURS = 8
TEXT = 92  # characters of a line of the legend

STYLE = """
svg { font: 13px system-ui, sans-serif; }
.ground { fill: #ffffff; } text { fill: #1f2937; } .soft { fill: #6b7280; }
.grid { stroke: #e5e7eb; } .lane { fill: #f3f4f6; }
.plain { fill: #94a3b8; } .hand { fill: #64748b; }
.cord { fill: #c2410c; } .other { fill: #fdba74; }
.c0 { fill: #c2410c; } .c1 { fill: #2563eb; } .c2 { fill: #15803d; }
.c3 { fill: #a16207; } .c4 { fill: #7e22ce; } .c5 { fill: #0e7490; } .c6 { fill: #be185d; }
.c7 { fill: #4d7c0f; } .vain { opacity: 0.3; }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117; } text { fill: #e6edf3; } .soft { fill: #9ca3af; }
.grid { stroke: #30363d; } .lane { fill: #161b22; }
.plain { fill: #64748b; } .hand { fill: #94a3b8; }
.cord { fill: #f97316; } .other { fill: #9a4a1c; }
.c0 { fill: #f97316; } .c1 { fill: #60a5fa; } .c2 { fill: #4ade80; }
.c3 { fill: #facc15; } .c4 { fill: #c084fc; } .c5 { fill: #22d3ee; }
.c6 { fill: #f472b6; } .c7 { fill: #a3e635; }
}
""".strip()

CLASSES = {PLAIN: "plain", BY_HAND: "hand", BASE: "cord"}
NAMES = {PLAIN: "python", BY_HAND: "by hand", BASE: "cord run"}


class Drawing:
    """The elements of a picture, from top to bottom; `y` is where the next one goes."""

    def __init__(self) -> None:
        self.scale = 1.0
        self.elements: list[str] = []
        self.y = 10.0

    def fit(self, seconds: float) -> None:
        """Let so many seconds take the whole width from here on."""
        self.scale = (WIDTH - LEFT - RIGHT) / seconds

    def at(self, seconds: float) -> float:
        """Where a moment is."""
        return LEFT + seconds * self.scale

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

    def axis(self, seconds: float, top: float) -> None:
        """Draw lines for the seconds, from `top` on, and number them."""
        step = _step(seconds)
        for number in range(math.floor(seconds / step) + 1):
            x = self.at(number * step)
            line = f'x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{self.y:.1f}"'
            self.elements.insert(0, f'<line {line} class="grid"/>')
            self.text(x, self.y + 15, f"{number * step:g} s", "soft", "middle")
        self.y += 26

    def whole(self, title: str) -> str:
        """The file."""
        size = f'width="{WIDTH}" height="{self.y:.0f}" viewBox="0 0 {WIDTH} {self.y:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        ground = '<rect width="100%" height="100%" rx="6" class="ground"/>'
        about = f"<title>{escape(title)}</title>\n<style>{STYLE}</style>"
        return "\n".join([head, about, ground, *self.elements, "</svg>", ""])


def draw(title: str, found: list[Measured], ran: list[Ran]) -> str:
    """Draw a picture: a bar for each way, and a row for each replica of a run.

    Args:
        title: What it is a picture of.
        found: What was seen of each way.
        ran: What replicas ran.

    Returns:
        An SVG file.
    """
    first = min((one.begin for one in ran), default=0.0)
    last = max((one.end for one in ran), default=first) - first
    drawing = Drawing()
    longest = max(one.median for one in found)
    drawing.fit(longest)
    top = drawing.y
    for one in found:
        _bar(drawing, one)
    drawing.axis(longest, top)
    if ran:
        drawing.y += 14
        drawing.text(LEFT, drawing.y, "one run: what the replicas did, from their first call on")
        drawing.y += 8
        top = drawing.y
        drawing.fit(last)
        _rows(drawing, ran, first, last)
        drawing.axis(last, top)
        _legend(drawing, ran)
    return drawing.whole(title)


def _bar(drawing: Drawing, one: Measured) -> None:
    middle = drawing.y + BAR * 0.62
    drawing.text(LEFT - 8, middle, NAMES.get(one.name, one.name), anchor="end")
    drawing.box(0, one.median, BAR - 6, CLASSES.get(one.name, "other"))
    drawing.text(drawing.at(one.median) + 5, middle, f"{one.median:.2f} s")
    drawing.y += BAR


def _rows(drawing: Drawing, ran: list[Ran], first: float, last: float) -> None:
    kinds = _kinds(ran)
    rows = sorted({one.row for one in ran})
    height = THIN if len(rows) > MANY_ROWS else ROW
    before = ""
    for row in rows:
        if row[0] != before:
            before = row[0]
            drawing.text(LEFT - 8, drawing.y + height * 0.8, before, "soft", "end")
        drawing.box(0, last, height - 2, "lane")
        for one in ran:
            if one.row == row:
                kind = kinds[one.place] + ("" if one.wanted else " vain")
                drawing.box(one.begin - first, one.end - first, height - 2, kind)
        drawing.y += height


def _legend(drawing: Drawing, ran: list[Ran]) -> None:
    kinds = _kinds(ran)
    lines = [(kind, place) for place, kind in kinds.items()]
    if any(not one.wanted for one in ran):
        lines.append((f"{next(iter(kinds.values()))} vain", "pale: run in vain"))
    for kind, text in lines:
        drawing.elements.append(
            f'<rect x="{LEFT}" y="{drawing.y:.1f}" width="10" height="10" class="{kind}"/>'
        )
        short = text if len(text) <= TEXT else f"{text[: TEXT - 1]}…"
        drawing.text(LEFT + 16, drawing.y + 10, short, "soft")
        drawing.y += 17
    drawing.y += 6


def _kinds(ran: list[Ran]) -> dict[str, str]:
    """The class of each call site, in the order in which they were first run."""
    places = dict.fromkeys(one.place for one in ran)
    return {place: f"c{number % COLOURS}" for number, place in enumerate(places)}


def _step(seconds: float) -> float:
    """How far apart the numbers on the axis are: 1, 2 or 5 of some power of ten."""
    power = 10.0 ** math.floor(math.log10(seconds / 4))
    return next(power * one for one in (1, 2, 5, 10) if seconds / (power * one) <= 8)
