"""Puts the page together: what stands still as HTML, what is looked into as data for its script."""

from __future__ import annotations

import base64
import json
import zlib
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from cord.tools.report.table import time_text
from cord.tools.trace.diagnosis import diagnose, share
from cord.tools.trace.page.charts import histograms, path_bar, rate, replicas
from cord.tools.trace.page.listing import anchor, listings
from cord.tools.trace.text import of_gains, title

if TYPE_CHECKING:
    from cord.tools.trace.diagnosis import Finding
    from cord.tools.trace.facts import Facts


def rendered(facts: Facts) -> str:
    """The page's text."""
    parts = {
        "TITLE": escape(f"{facts.name}: a run of {time_text(facts.length)}"),
        "CSS": _file("page.css"),
        "NAME": escape(facts.name),
        "SUMMARY": escape(title(facts)),
        "FINDINGS": _findings(facts),
        "PATH": path_bar(facts),
        "DRAWN": _drawn(facts),
        "LINES_HINT": _lines_hint(facts),
        "LISTINGS": listings(facts),
        "HISTOGRAMS": histograms(facts),
        "REPLICAS": replicas(facts),
        "RATE": rate(facts),
        "DATA": _data(facts),
        "JS": _file("page.js"),
    }
    pieces = _file("page.html").split("@")
    # every second piece is a name; nothing that is put in is looked at again
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _findings(facts: Facts) -> str:
    found = diagnose(facts)
    if not found:
        return "<p>Nothing stands out.</p>"
    return f'<ol class="findings">{"".join(_finding(facts, one) for one in found)}</ol>'


def _finding(facts: Facts, one: Finding) -> str:
    part = f'<span class="share">{share(one.spent, facts.length)}</span>' if one.spent else ""
    about = escape(one.about)
    if one.line is not None and anchor(facts, one.line):
        about = f'<a href="#{anchor(facts, one.line)}">{about}</a>'
    change = f'<p class="change"><b>Change:</b> {_words(one.change)}</p>' if one.change else ""
    aside = "" if one.spent else ' class="aside"'
    return f"<li{aside}>{part}<code>{about}</code>: {_words(one.text)}{change}</li>\n"


def _words(text: str) -> str:
    """Text in which what stands between backticks is code."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{piece}</code>" if at % 2 else piece for at, piece in enumerate(pieces))


def _drawn(facts: Facts) -> str:
    drawn = facts.numbers["timeline"]
    told = "Point at a piece to see what it is; a click keeps it here."
    if max(drawn["calls_of"], drawn["takes_of"]) > 1:
        told += (
            f" Single calls: one of {drawn['calls_of']} is drawn; of waits, one of "
            f"{drawn['takes_of']}. Filled shares and all numbers are of all calls."
        )
    return told


def _lines_hint(facts: Facts) -> str:
    if not facts.is_whole:
        return "The trace was cut off, so the texts of the program's files are not in it."
    told = (
        "The darker, the more of the critical path. Own times (*) are spread by "
        f"{facts.samples} samples of where the program was; all else is exact."
    )
    return escape(" ".join([told, *of_gains(facts)]))


def _data(facts: Facts) -> str:
    """What the script needs: base64 of zlib of JSON, in which no text can end the script."""
    numbers = facts.numbers
    data = {
        "length": numbers["length"],
        "thread": numbers["thread"],
        "replicas": {one["id"]: facts.name_of(one) for one in numbers["replicas"]},
        "nodes": {one["id"]: facts.node_of(one) for one in numbers["replicas"]}
        if facts.has_nodes
        else {},
        "places": {
            place.number: {
                "name": place.name,
                "call": place.call,
                "anchor": anchor(facts, (place.file, place.lines[0])) if place.file else "",
            }
            for place in facts.places
        },
        "path": numbers["path"]["longest"],
        "pieces": numbers["path"]["pieces"],
        "kinds": numbers["path"]["kinds"],
        "timeline": numbers["timeline"],
    }
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 6)
    return base64.b64encode(packed).decode("ascii")
