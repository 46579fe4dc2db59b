"""Rows and results to Markdown, and where it goes in the page."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.model import CORD, Column, Measured, Result, Row
from benchmarks.verdicts import Verdict, medians, verdicts

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

Pair = tuple[Row, Result | None]


def inserted(page: str, measured: str, name: str = "") -> str:
    """The page with other content between its markers.

    Args:
        page: The whole page.
        measured: The content.
        name: Which markers, on a page with several: `<!-- measured: begin NAME -->`.

    Raises:
        ValueError: It has no such markers.
    """
    first = BEGIN.replace(" -->", f" {name} -->") if name else BEGIN
    before, begin, rest = page.partition(first)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {first} … {END}")
    return f"{before}{first}\n\n{measured.strip()}\n\n{END}{after}"


def summary(pairs: Iterable[Pair]) -> list[str]:
    """The table of what is wanted, and whether it holds."""
    lines = ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
    for row, result in pairs:
        found = medians(result.measured if result is not None else [])
        lines += [summary_line(verdict) for verdict in verdicts(row, found)]
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


def facts_lines(results: Iterable[Result]) -> list[str]:
    """Machine and versions; more than once if rows were measured with different ones."""
    seen: dict[tuple[str, ...], list[str]] = {}
    for result in results:
        facts = result.facts
        key = tuple(facts[name] for name in ("machine", "system", "python", "packages"))
        seen.setdefault(key, []).append(result.name)
    lines = []
    for (machine, system, python, packages), names in seen.items():
        of = "" if len(seen) == 1 else f" ({', '.join(names)})"
        lines += [f"Measured{of} on: {machine}; {system}; Python {python}; {packages}.", ""]
    return lines


def content(pairs: list[Pair], pictures: dict[str, str]) -> str:
    """All that goes between the markers.

    Args:
        pairs: All rows, with their last results.
        pictures: The paths of the figures, by the names of rows.
    """
    results = [result for _, result in pairs if result is not None]
    lines = facts_lines(results) + summary(pairs) + [""]
    for row, result in pairs:
        if result is not None:
            lines += section(row, result, pictures.get(row.name))
    return "\n".join(lines)
