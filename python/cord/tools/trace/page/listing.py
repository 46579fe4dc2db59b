"""The program's own lines, each with what it has cost."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cord.tools.report.table import time_text
from cord.tools.trace.diagnosis import share
from cord.tools.trace.text import gained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.tools.trace.facts import Facts, Place

_HEADS = (
    ("on path", "how much of the critical path is at this line"),
    ("own", "the line's own time, calls apart; sampled"),
    ("waited", "how long the program was at its calls"),
    ("hidden", "how long its calls ran while the program did not wait for them"),
    ("ahead", "calls made before the program came to them"),
    ("in place", "calls made where the program stood"),
    ("not sent", "calls that the program made itself, for that is sooner"),
    ("in vain", "calls made ahead that the program did not come to"),
    ("half", "the run with this line's calls half as long; simulated"),
    ("more", "the run with twice as many replicas of its module; simulated"),
)
# Lines this far from one with numbers are folded away, where they are more than a few.
_NEAR = 6
_FEW = 4


def listings(facts: Facts) -> str:
    """All files of which anything is known, those with most of the path first."""
    critical = facts.critical_lines()
    weight: dict[str, float] = {}
    for (file, _), spent in critical.items():
        weight[file] = weight.get(file, 0.0) + spent
    files = sorted(weight.keys() & facts.sources.keys(), key=lambda file: (-weight[file], file))
    parts = [_listing(facts, file, critical) for file in files]
    rest = [place for place in facts.places if facts.line_of(place) is None]
    if rest:
        parts.append(_elsewhere(facts, rest))
    return "\n".join(parts) or "<p>Nothing is known of its lines.</p>"


def anchor(facts: Facts, line: tuple[str, int]) -> str:
    """The id of a line on the page."""
    files = sorted(facts.sources)
    return f"f{files.index(line[0])}-{line[1]}" if line[0] in facts.sources else ""


def _listing(facts: Facts, file: str, critical: dict[tuple[str, int], float]) -> str:
    found = [(facts.line_of(place), place) for place in facts.places]
    places = {line[1]: place for line, place in found if line is not None and line[0] == file}
    lines = facts.sources[file]
    known = {line for (name, line) in critical if name == file} | set(places)
    cells = {line: _cells(facts, (file, line), critical, places.get(line)) for line in known}
    shown = [at for at in range(len(_HEADS)) if any(row[at] for row in cells.values())]
    rows = []
    for first, last, is_near in _stretches(len(lines), known):
        if not is_near:
            rows.append(_fold(first, last, len(shown) + 2))
        for line in range(first, last + 1):
            heat = critical.get((file, line), 0.0) / facts.length
            row = _columns(cells.get(line, _NOTHING), shown)
            rows.append(_row(facts, (file, line), heat, row, is_far=not is_near))
            if line in places and _why(places[line]):
                rows.append(_note(_why(places[line]), len(shown) + 2))
    return (
        f"<h3>{escape(file)}</h3>\n"
        f'<div class="listing"><table>{_head(shown)}<tbody>{"".join(rows)}</tbody></table>'
        "</div>"
    )


def _stretches(count: int, known: set[int]) -> Iterator[tuple[int, int, bool]]:
    """The lines 1 to `count` in stretches: first, last, and whether there is something near."""
    near = {other for line in known for other in range(line - _NEAR, line + _NEAR + 1)}
    at = 1
    while at <= count:
        end = at
        while end < count and (end + 1 in near) == (at in near):
            end += 1
        yield at, end, at in near or end - at < _FEW
        at = end + 1


_NOTHING = ("",) * len(_HEADS)


def _head(shown: list[int]) -> str:
    heads = [_HEADS[at] for at in shown]
    cells = "".join(f'<th scope="col" title="{escape(tip)}">{name}</th>' for name, tip in heads)
    line, source = '<th scope="col">line</th>', '<th scope="col" class="source"></th>'
    return f"<thead><tr>{line}{cells}{source}</tr></thead>"


def _columns(cells: tuple[str, ...], shown: list[int]) -> str:
    return "".join(f'<td data-of="{_HEADS[at][0]}">{cells[at]}</td>' for at in shown)


def _cells(
    facts: Facts,
    line: tuple[str, int],
    critical: dict[tuple[str, int], float],
    place: Place | None,
) -> tuple[str, ...]:
    own, path = facts.own_lines.get(line, 0.0), critical.get(line, 0.0)
    on_path = share(path, facts.length) if path > 0 else ""
    return (on_path, f"{time_text(own)}*" if own > 0 else "", *_of_place(facts, place))


def _why(place: Place) -> list[str]:
    """Why its calls were not ahead, and how far others were."""
    if place.file is None:
        return [f"{place.name}: called here, by samples.", *place.told]
    if place.told or not place.reason:
        return place.told
    return [f"in place: {place.reason}.", *([f"remedy: {place.remedy}."] if place.remedy else [])]


def _of_place(facts: Facts, place: Place | None) -> tuple[str, ...]:
    if place is None:
        return ("",) * 8
    counts = (place.ahead, place.in_place + place.just_then, place.unsent, place.in_vain)
    times = (place.spent, place.hidden)
    return (
        *(time_text(one) if one > 0 else "" for one in times),
        *(str(one) if one else "" for one in counts),
        *gained(facts, place),
    )


def _row(facts: Facts, line: tuple[str, int], heat: float, columns: str, *, is_far: bool) -> str:
    lines = facts.sources[line[0]]
    hot = f' class="hot" style="--heat:{min(heat, 1.0):.3f}"' if heat >= 0.01 else ""
    far = ' data-far="1"' if is_far else ""
    return (
        f'<tr id="{anchor(facts, line)}"{hot}{far}><td class="no">{line[1]}</td>{columns}'
        f'<td class="source">{escape(lines[line[1] - 1])}</td></tr>\n'
    )


def _fold(first: int, last: int, width: int) -> str:
    return (
        f'<tr class="fold" hidden><td colspan="{width}"><button type="button">'
        f"⋯ lines {first} to {last}</button></td></tr>\n"
    )


def _note(told: list[str], width: int) -> str:
    text = "<br>".join(escape(line) for line in told)
    return f'<tr class="note"><td colspan="{width}">{text}</td></tr>\n'


def _elsewhere(facts: Facts, places: list[Place]) -> str:
    """Calls that the text does not show."""
    rows = []
    shown = list(range(len(_HEADS)))
    for place in places:
        spent = sum(time for (at, _), time in facts.path.items() if at == place.number)
        columns = _columns((share(spent, facts.length), "", *_of_place(facts, place)), shown)
        rows.append(f'<tr><td></td>{columns}<td class="source">{escape(place.name)}</td></tr>')
    return (
        "<h3>calls that the text does not show</h3>\n"
        f'<div class="listing"><table>{_head(shown)}<tbody>{"".join(rows)}</tbody></table></div>'
    )
