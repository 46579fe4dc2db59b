"""Rows and results to Markdown, and where it goes in the page.

What the page says of rows that are not measured anew stays: nothing else is kept of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from benchmarks.model import CORD, Column, Measured, Result, Row
from benchmarks.verdicts import Verdict, medians, verdicts

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

_FACTS = re.compile(r"^Measured \((.*?)\) on: (.*)$", re.MULTILINE)
_JUDGED = re.compile(r"^\| (.*?) \|.*$", re.MULTILINE)


def inserted(page: str, measured: str, name: str = "") -> str:
    """The page with other content between its markers.

    Args:
        page: The whole page.
        measured: The content.
        name: Which markers, on a page with several: `<!-- measured: begin NAME -->`.

    Raises:
        ValueError: It has no such markers.
    """
    first, before, _, after = _parted(page, name)
    return f"{before}{first}\n\n{measured.strip()}\n\n{END}{after}"


def between(page: str, name: str = "") -> str:
    """What the page has between its markers.

    Args:
        page: The whole page.
        name: Which markers, on a page with several.

    Raises:
        ValueError: It has no such markers.
    """
    return _parted(page, name)[2].strip()


def _parted(page: str, name: str) -> tuple[str, str, str, str]:
    """The first marker, and what stands before, between and after both."""
    first = BEGIN.replace(" -->", f" {name} -->") if name else BEGIN
    before, begin, rest = page.partition(first)
    measured, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {first} … {END}")
    return first, before, measured, after


def sections(text: str, level: str) -> tuple[str, dict[str, list[str]]]:
    """What stands before the first heading of a level, and the lines of each section by its title.

    Args:
        text: Markdown.
        level: The marks of the level: `###`.
    """
    before, *parts = re.split(rf"^{level} (.*)\n", text, flags=re.MULTILINE)
    titles, texts = parts[::2], parts[1::2]
    found = {
        title: [f"{level} {title}", *one.rstrip().splitlines(), ""]
        for title, one in zip(titles, texts, strict=True)
    }
    return before, found


def summary(rows: Iterable[Row], results: Mapping[str, Result], kept: str = "") -> list[str]:
    """The table of what is wanted, and whether it holds.

    Args:
        rows: The rows.
        results: What was measured, by the names of rows.
        kept: The table that has the others.
    """
    lines = ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
    others = {found[1]: found[0] for found in _JUDGED.finditer(kept)}
    for row in rows:
        result = results.get(row.name)
        for verdict in verdicts(row, medians(result.measured if result is not None else [])):
            line = summary_line(verdict)
            lines.append(line if result is not None else others.get(verdict.claim.text, line))
    return lines


def summary_line(verdict: Verdict) -> str:
    """One line of that table."""
    claim = verdict.claim
    wanted = f"{'≤' if claim.at_most else '≥'} {claim.wanted:.3g}"
    if verdict.figure is None:
        return f"| {claim.text} | not measured: {verdict.missing} | {wanted} | **NO** |"
    holds = "yes" if verdict.holds else "**NO**"
    return f"| {claim.text} | {verdict.figure:{claim.form}} | {wanted} | {holds} |"


def section(row: Row, result: Result, picture: str | None) -> list[str]:
    """All that was measured in one row.

    Args:
        row: The row.
        result: What came of it.
        picture: The path of its figure, if there is one.
    """
    lines = [f"### {row.title}", ""]
    lines += [row.notes, ""] if row.notes else []
    lines += _single(row, result) if len(row.contenders) == 1 else _table(row, result)
    lines += [""]
    lines += [f"- {one.name}: not here: {one.failure}" for one in result.measured if one.failure]
    lines += [""] if any(one.failure for one in result.measured) else []
    lines += [f"![{row.title}]({picture})", ""] if picture is not None else []
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    facts = result.facts
    lines += [
        f"`make bench ONLY={row.name}`: {rounds}, {facts['date']}, commit {facts['commit']}, "
        f"load {facts['load']} at the start.",
        "",
    ]
    return lines


def _table(row: Row, result: Result) -> list[str]:
    titles = [column.title for column in row.columns]
    lines = [
        "| | " + " | ".join(titles) + f" | divided by {CORD}'s | from, to |",
        "|---|" + "--:|" * (len(titles) + 2),
    ]
    first = row.columns[0]
    found = medians(result.measured).by_name
    for one in result.measured:
        if one.name not in found:
            lines.append(f"| {one.name} |" + " - |" * len(titles) + " not here | |")
            continue
        name = f"**{one.name}**" if one.name.startswith(CORD) else one.name
        cells = [_cell(found[one.name].get(column.measure), column) for column in row.columns]
        own, ours = found[one.name].get(first.measure), found.get(CORD, {}).get(first.measure)
        ratio = "-" if own is None or not ours else f"{own / ours:,.3g}"
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {ratio} | {_extremes(one, first)} |")
    return lines


def _single(row: Row, result: Result) -> list[str]:
    lines = ["| | median |", "|---|--:|"]
    found = medians(result.measured).by_name.get(row.contenders[0].name, {})
    for column in row.columns:
        lines.append(f"| {column.title} | {_cell(found.get(column.measure), column)} |")
    return lines


def _cell(value: float | None, column: Column) -> str:
    return "-" if value is None else f"{value * column.scale:{column.form}}"


def _extremes(one: Measured, column: Column) -> str:
    values = [sample[column.measure] for sample in one.samples if column.measure in sample]
    if not values:
        return "-"
    return f"{_cell(min(values), column)}, {_cell(max(values), column)}"


def facts_lines(rows: Iterable[Row], results: Mapping[str, Result], kept: str = "") -> list[str]:
    """Machine and versions; more than once if rows were measured with different ones.

    Args:
        rows: The rows.
        results: What was measured, by the names of rows.
        kept: The lines that have the others.
    """
    told = {name: found[2] for found in _FACTS.finditer(kept) for name in found[1].split(", ")}
    told |= {name: _told(result.facts) for name, result in results.items()}
    alike: dict[str, list[str]] = {}
    for row in rows:
        if row.name in told:
            alike.setdefault(told[row.name], []).append(row.name)
    lines = [f"Measured ({', '.join(names)}) on: {facts}" for facts, names in alike.items()]
    return [part for line in lines for part in (line, "")]


def _told(facts: Mapping[str, str]) -> str:
    machine, system, python, packages = map(facts.get, ("machine", "system", "python", "packages"))
    return f"{machine}; {system}; Python {python}; {packages}."


def content(rows: Iterable[Row], results: Mapping[str, Result], kept: str, folder: str) -> str:
    """All that goes between the markers.

    Args:
        rows: All rows, in their order.
        results: Those that were measured anew, by the names of rows.
        kept: What stands there, and stays of rows that were not measured.
        folder: Where the pictures are, seen from the page.
    """
    rows = tuple(rows)
    before, others = sections(kept, "###")
    lines = [*facts_lines(rows, results, before), *summary(rows, results, before), ""]
    for row in rows:
        if row.name in results:
            picture = f"{folder}/{row.name}.svg" if row.shown else None
            lines += section(row, results[row.name], picture)
        else:
            lines += others.get(row.title, [])
    return "\n".join(lines)
