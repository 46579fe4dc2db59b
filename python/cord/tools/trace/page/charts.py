"""What stands still on the page: bars and histograms, as HTML and SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cord.tools.report.table import bytes_text, time_text
from cord.tools.trace.diagnosis import share, use_of
from cord.tools.trace.text import KINDS

if TYPE_CHECKING:
    from typing import Any

    from cord.tools.trace.diagnosis import Use
    from cord.tools.trace.facts import Facts, Place

_NANO = 1e-9
# More replicas than this are told by module only.
_MOST_BARS = 64


def path_bar(facts: Facts) -> str:
    """The critical path as a bar, with its legend."""
    parts = [(kind, facts.on_path(kind)) for kind in KINDS]
    parts = [(kind, spent) for kind, spent in parts if spent > 0]
    spans = "".join(
        f'<span style="flex:{spent / facts.length:.5f} 0 0;background:var(--{kind})" '
        f'title="{escape(KINDS[kind])}: {time_text(spent)}"></span>'
        for kind, spent in parts
    )
    legend = "".join(
        f'<li><i style="background:var(--{kind})"></i>{escape(KINDS[kind])} '
        f"<b>{share(spent, facts.length)}</b> {time_text(spent)}</li>"
        for kind, spent in sorted(parts, key=lambda one: -one[1])
    )
    return f'<div class="bar" aria-hidden="true">{spans}</div>\n<ul class="legend">{legend}</ul>'


def histograms(facts: Facts) -> str:
    """How long the calls of each place took."""
    figures = [_histogram(place) for place in facts.places if place.numbers["buckets"]]
    return (
        f'<div class="charts">{"".join(figures)}</div>' if figures else "<p>No call was sent.</p>"
    )


def _histogram(place: Place) -> str:
    buckets = place.numbers["buckets"]
    first, last = buckets[0][0], buckets[-1][0]
    steps = _step(last) - _step(first) + 1
    tallest = max(count for _, count in buckets)
    width = 300 / max(steps, 12)
    bars = []
    for lower, count in buckets:
        left, height = (_step(lower) - _step(first)) * width, max(1.0, 90 * count / tallest)
        bars.append(
            f'<rect x="{left:.1f}" y="{92 - height:.1f}" width="{max(width - 1, 1):.1f}" '
            f'height="{height:.1f}" fill="var(--running)"><title>from {time_text(lower * _NANO)}: '
            f"{count} calls</title></rect>"
        )
    least, half, nine, hundredth, most = (one * _NANO for one in place.numbers["quantiles"])
    told = (
        f"shortest {time_text(least)}, half within {time_text(half)}, 90 of 100 within "
        f"{time_text(nine)}, 99 within {time_text(hundredth)}, longest {time_text(most)}"
    )
    issued = place.numbers["issued"]
    size = f"{bytes_text(place.numbers['bytes'] // max(issued, 1))} of arguments each"
    end = min(steps * width, 300)
    return (
        f"<figure><figcaption><b>{escape(place.name)}</b> "
        f"<code>{escape(place.call)}</code><br>{told}; {size}</figcaption>"
        f'<svg viewBox="0 0 300 108" role="img" aria-label="{escape(told)}">{"".join(bars)}'
        '<line x1="0" x2="300" y1="92.5" y2="92.5" stroke="var(--rule)"/>'
        f'<text x="0" y="105">{time_text(first * _NANO)}</text>'
        f'<text x="{max(end, 130):.0f}" y="105" text-anchor="end">{time_text(most)}</text></svg>'
        "</figure>\n"
    )


def _step(lower: int) -> int:
    """Which bucket it is: there are four for each doubling (`facts/places.rs`)."""
    from math import log2

    return round(log2(max(lower, 1)) * 4)


def replicas(facts: Facts) -> str:
    """How busy each replica was."""
    told = "".join(
        f"<p>{_used(use)}{''.join(f'<br>on {_used(node)}' for node in use.nodes)}</p>"
        for use in use_of(facts)
    )
    ones = facts.numbers["replicas"]
    if len(ones) > _MOST_BARS:
        return f"{told}<p class='hint'>{len(ones)} replicas, each drawn in the timeline.</p>"
    rows = []
    node = None
    for one in sorted(ones, key=_order):
        if facts.has_nodes and node != facts.node_of(one):
            node = facts.node_of(one)
            rows.append(f'<span class="node">{escape(node)}</span>')
        whole, busy, vain = facts.numbers["length"], one["busy"], one["in_vain"]
        gone = "" if one["died"] is None or one["ended"] else ", lost"
        rows.append(
            f'<span>{escape(facts.name_of(one))}{gone}</span><div class="bar">'
            f'<span style="width:{100 * (busy - vain) / whole:.2f}%;background:var(--running)">'
            f'</span><span style="width:{100 * vain / whole:.2f}%;background:var(--starting)">'
            f"</span></div><span>{share(busy, whole)}, {one['calls']} calls</span>"
        )
    return f'{told}<div class="use">{"".join(rows)}</div>'


def _order(one: dict[str, Any]) -> tuple[int, int, int, int]:
    """As in the timeline: by node, module, place in it."""
    node = -1 if one["node"] is None else one["node"]
    return node, one["module"], one["slot"], one["id"]


def _used(use: Use) -> str:
    vain = f", {share(use.in_vain, 1.0)} for nothing" if use.in_vain > 0.005 else ""
    return (
        f"{escape(use.name)}: {use.many} at once, busy for <b>{share(use.busy, 1.0)}</b> of the "
        f"time{vain}."
    )


def rate(facts: Facts) -> str:
    """How many calls were answered in a second, over the run."""
    parts: list[int] = facts.numbers["answered"]
    seconds = facts.length / len(parts)
    tallest = max(parts)
    if not tallest:
        return "<p>None.</p>"
    points = " ".join(
        f"{600 * at / (len(parts) - 1):.1f},{100 - 90 * count / tallest:.1f}"
        for at, count in enumerate(parts)
    )
    most = f"{tallest / seconds:,.0f} in a second at most"
    whole = f"{sum(parts) / facts.length:,.1f} in the mean"
    return (
        f'<figure class="rate"><svg viewBox="0 0 600 116" role="img" aria-label="{most}, {whole}">'
        f'<polygon points="0,100 {points} 600,100" fill="var(--scout)" fill-opacity=".25"/>'
        f'<polyline points="{points}" fill="none" stroke="var(--scout)" stroke-width="1.5"/>'
        f'<text x="0" y="113">0 s</text><text x="600" y="113" text-anchor="end">'
        f"{time_text(facts.length)}</text></svg><figcaption>{most}, {whole}"
        "</figcaption></figure>"
    )
