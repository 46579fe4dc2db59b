"""The picture of an example: how long each way takes, and what the replicas do meanwhile."""

from __future__ import annotations

from benchmarks.drawing import COLOURS, Drawing
from benchmarks.examples.measuring import BY_HAND, Ran
from cord.plan.variants import PLAIN
from cord.plan.words import BASE
from cord.tools.compare.measure import Measured

ROW, THIN = 16, 9
MANY_ROWS = 8  # from this number on, rows of replicas are thin
TEXT = 92  # characters of a line of the legend

CLASSES = {PLAIN: "plain", BY_HAND: "hand", BASE: "cord"}
NAMES = {PLAIN: "python", BY_HAND: "by hand", BASE: "cord run"}


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
        kind = CLASSES.get(one.name, "other")
        drawing.bar(NAMES.get(one.name, one.name), one.median, kind, f"{one.median:.2f} s")
    drawing.axis(longest, top)
    if ran:
        drawing.y += 14
        about = "one run: what the replicas did, from their first call on"
        drawing.text(drawing.left, drawing.y, about)
        drawing.y += 8
        top = drawing.y
        drawing.fit(last)
        _rows(drawing, ran, first, last)
        drawing.axis(last, top)
        _legend(drawing, ran)
    return drawing.whole(title)


def _rows(drawing: Drawing, ran: list[Ran], first: float, last: float) -> None:
    kinds = _kinds(ran)
    rows = sorted({one.row for one in ran})
    height = THIN if len(rows) > MANY_ROWS else ROW
    before = ""
    for row in rows:
        if row[0] != before:
            before = row[0]
            drawing.text(drawing.left - 8, drawing.y + height * 0.8, before, "soft", "end")
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
        short = text if len(text) <= TEXT else f"{text[: TEXT - 1]}…"
        drawing.told(drawing.left, kind, short)
        drawing.y += 17
    drawing.y += 6


def _kinds(ran: list[Ran]) -> dict[str, str]:
    """The class of each call site, in the order in which they were first run."""
    places = dict.fromkeys(one.place for one in ran)
    return {place: f"c{number % COLOURS}" for number, place in enumerate(places)}
