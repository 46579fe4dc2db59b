"""`cord report FILE`: a run's facts as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cord.tools.report.table import time_text
from cord.tools.trace.diagnosis import diagnose, share, use_of
from cord.tools.trace.facts import AT_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.tools.trace.diagnosis import Finding, Use
    from cord.tools.trace.facts import Facts, Place

# What the pieces of the critical path are, in the order in which they are told.
KINDS = {
    "own": "the program's own lines",
    "made": "calls that the program made itself",
    "handling": "encoding, taking, decoding",
    "scout": "scouts that look for the next call",
    "starting": "replicas that start, and import what first calls need",
    "sending": "calls on their way to a replica",
    "running": "calls that run",
    "behind": "calls that run, with others waiting behind them",
    "needed": "calls that run, and the next ones need their values",
    "coming": "answers on their way",
}
# So wide is a line of the program's text.
_WIDEST = 48


def lines_of(facts: Facts) -> Iterator[str]:
    """All that is told, line by line."""
    yield title(facts)
    yield ""
    yield "What its time went into, and what would change it:"
    findings = diagnose(facts)
    for at, finding in enumerate(findings):
        yield from _told(facts, at + 1, finding)
    if not findings:
        yield "  nothing stands out"
    yield ""
    yield "The critical path (what the run's length is made of):"
    for kind, words in KINDS.items():
        spent = facts.on_path(kind)
        if spent > 0:
            yield f"  {share(spent, facts.length):>5}  {time_text(spent):>8}  {words}"
    yield ""
    for use in use_of(facts):
        yield _used(use, "")
        for node in use.nodes:
            yield _used(node, "  on ")
    yield ""
    yield from _table(facts)


def _used(use: Use, before: str) -> str:
    noun = "1 replica was" if use.many == 1 else f"{use.many} replicas were"
    vain = f", {share(use.in_vain, 1.0)} for nothing" if use.in_vain > 0.005 else ""
    return f"{before}{use.name}: {noun} busy for {share(use.busy, 1.0)} of the time{vain}."


def title(facts: Facts) -> str:
    """The run in a line."""
    calls = sum(place.calls for place in facts.places)
    modules = ", ".join(f"{one['replicas']} of {one['name']}" for one in facts.head["modules"])
    cores = facts.head["cores"]
    return (
        f"The run of {facts.name}: {time_text(facts.length)}, {calls} calls; replicas: {modules}; "
        f"engine {facts.head['engine']}, {cores} {'core' if cores == 1 else 'cores'}."
    )


def _told(facts: Facts, number: int, finding: Finding) -> Iterator[str]:
    part = f"{share(finding.spent, facts.length)} of the run, " if finding.spent else ""
    yield f"  {number}. {finding.about}: {part}{finding.text}."
    if finding.change:
        yield f"     change: {finding.change}."


_HEADS = (
    "line", "on path", "own*", "waited", "hidden", "ahead", "in place", "not sent", "in vain",
    "half", "more", "",
)  # fmt: skip


def _table(facts: Facts) -> Iterator[str]:
    """The lines at which anything was seen."""
    found = [(facts.line_of(place), place) for place in facts.places]
    places = {line: place for line, place in found if line is not None}
    critical = facts.critical_lines()
    keys = {*facts.own_lines, *places}
    rows = [
        _row(facts, f"{file}:{line}", facts.text((file, line)), critical.get((file, line), 0.0),
             facts.own_lines.get((file, line), 0.0), places.get((file, line)))
        for file, line in sorted(keys)
    ]  # fmt: skip
    rows += [
        _row(facts, place.name, "", facts.on_path(*AT_PLACES, place=place.number), 0.0, place)
        for line, place in found
        if line is None
    ]
    if not rows:
        return
    widths = [max(len(row[at]) for row in (_HEADS, *rows)) for at in range(len(_HEADS))]
    for row in (_HEADS, *rows):
        cells = [f"{cell:>{width}}" for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
        yield "  ".join([f"{row[0]:<{widths[0]}}", *cells, row[-1]]).rstrip()
    yield from of_gains(facts)
    for line, place in found:
        if line is not None and place.file is None:
            yield f"{place.name}: at line {line[0]}:{line[1]}, by samples."
        for told in place.told:
            yield f"{place.name}: {told}"
    if facts.samples:
        yield f"* The program's own time is spread over its lines by {facts.samples} samples."


def _row(
    facts: Facts, name: str, text: str, path: float, own: float, place: Place | None
) -> tuple[str, ...]:
    seconds = [_or_blank(one) for one in (path, own)]
    source = text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."
    if place is None:
        return (name, *seconds, "", "", "", "", "", "", "", "", source)
    in_place = place.in_place + place.just_then
    counts = [str(one) for one in (place.ahead, in_place, place.unsent, place.in_vain)]
    return (
        name,
        *seconds,
        _or_blank(place.spent),
        _or_blank(place.hidden),
        *counts,
        *gained(facts, place),
        source,
    )


def gained(facts: Facts, place: Place) -> tuple[str, str]:
    """How much shorter the run would be with a place's calls half as long, and more replicas."""
    _, more = facts.gains.more.get(place.module, (0, None))
    return _less(facts, facts.gains.shorter.get(place.number)), _less(facts, more)


def _less(facts: Facts, saved: float | None) -> str:
    if saved is None:
        return ""
    part = round(100 * saved / facts.length)
    return f"{-part:+d} %" if part else "0 %"


def more_replicas(facts: Facts) -> str:
    """How many "more" replicas are, in words."""
    return ", ".join(f"{many} of {name}" for name, (many, _) in facts.gains.more.items())


def of_gains(facts: Facts) -> Iterator[str]:
    """What the columns of gains are."""
    known = facts.gains
    if known.why_not:
        yield f"What shorter calls or more replicas would gain is not known: {known.why_not}."
    if known.shorter:
        told = "half: the run with this line's calls half as long"
        if known.more:
            told += f"; more: with more replicas ({more_replicas(facts)})"
        yield f"{told}; both simulated (cord predict)."
    if known.left_out:
        yield f"Of {known.left_out} lines that is left out, for it would take long."


def _or_blank(seconds: float) -> str:
    return time_text(seconds) if seconds > 0 else ""
