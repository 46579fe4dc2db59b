"""From results to the pages: tables, figures, what is wanted and whether it holds.

What the report says of experiments that are not measured anew stays: nothing else is kept of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from benchmarks.model import Medians, Result
from benchmarks.verdicts import judged, medians

from benchmarks import page, results
from lab.common import pictures
from lab.common.lines import lines_of_code
from lab.common.model import Experiment, Figure, Paper
from lab.common.places import LAB, PAGE, PICTURES, RESULTS, SHOWN
from lab.common.tables import table

LEVEL = "####"  # of the headings of experiments


def file_name(paper: Paper, experiment: Experiment) -> str:
    """Where the results of an experiment are kept."""
    return f"{paper.name}-{experiment.name}"


def section(paper: Paper, experiment: Experiment, result: Result) -> list[str]:
    """All that was measured in an experiment; its figures are drawn."""
    found = medians(result.measured)
    lines = [f"{LEVEL} {experiment.title}", "", experiment.notes, ""]
    lines += experiment.show(found)
    absent = [one for one in result.measured if one.failure is not None]
    lines += [f"- {one.name}: skipped: {_one_line(one.failure)}" for one in absent]
    lines += [""] if absent else []
    if experiment.claims:
        lines += ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
        lines += [page.summary_line(one) for one in judged(experiment.claims, found)] + [""]
    for figure in experiment.figures:
        if _drawn(figure, found) and figure.shown:
            lines += [f"![{figure.title}]({SHOWN.name}/{figure.name}.svg)", ""]
    facts = result.facts
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    form = " --short" if facts.get("form") == "short" else ""
    lines += [
        f"`python -m lab {paper.name}{form}`: {rounds} in turns, the medians; {facts['machine']}; "
        f"{facts['date']}, commit {facts['commit']}, load {facts['load']} at the start.",
        "",
    ]
    return lines


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())[:200]


def _drawn(figure: Figure, found: Medians) -> bool:
    """Draw a figure; false if there is nothing to draw."""
    picture = pictures.draw(figure, found)
    if picture is None:
        return False
    for folder in [PICTURES, SHOWN] if figure.shown else [PICTURES]:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{figure.name}.svg").write_text(picture)
    return True


def loaded(papers: Iterable[Paper]) -> dict[str, Result]:
    """The last results of papers on this machine, by their files' names."""
    # what is shown of a result does not depend on the form that is measured next
    names = [file_name(paper, one) for paper in papers for one in paper.experiments(True)]
    found = {name: results.load(name, RESULTS) for name in names}
    return {name: result for name, result in found.items() if result is not None}


def keep(paper: Paper, experiment: Experiment, result: Result) -> Result:
    """Keep a result in place of the last one; the result, under a name that tells the paper."""
    named = replace(result, name=file_name(paper, experiment))
    results.save(named, RESULTS)
    return named


def lines_table(paper: Paper) -> list[str]:
    """How long each way to write the program is, and what it has beyond the plain one."""
    counts = {
        one.system: sum(lines_of_code(LAB / file) for file in one.files) for one in paper.programs
    }
    plain = next(iter(counts.values()), 0)
    rows = [
        (system, str(count), "" if count == plain else f"{count - plain:+d}")
        for system, count in counts.items()
    ]
    lines = table(("", "lines", "beyond the plain program"), rows)
    return [f"{LEVEL} Lines of code", "", *lines] if rows else []


def write(paper: Paper, found: Mapping[str, Result]) -> None:
    """Write what was measured of a paper into the report.

    Args:
        paper: The paper.
        found: What was measured, by the names of files.
    """
    text = PAGE.read_text()
    PAGE.write_text(
        page.inserted(text, content(paper, found, page.between(text, paper.name)), paper.name)
    )


def content(paper: Paper, found: Mapping[str, Result], kept: str) -> str:
    """All that the report has of a paper.

    Args:
        paper: The paper.
        found: What was measured, by the names of files.
        kept: What stands there, and stays of experiments that were not measured.
    """
    lines: list[str] = []
    _, others = page.sections(kept, LEVEL)
    for experiment in paper.experiments(True):
        result = found.get(file_name(paper, experiment))
        if result is not None:
            lines += section(paper, experiment, result)
        else:
            lines += others.get(experiment.title, [])
    return "\n".join(lines + lines_table(paper))


def verdict_lines(papers: Iterable[Paper], found: Mapping[str, Result]) -> list[str]:
    """What is wanted of all that was measured, and whether it holds."""
    lines = ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
    for paper in papers:
        for experiment in paper.experiments(True):
            result = found.get(file_name(paper, experiment))
            if result is not None:
                judgements = judged(experiment.claims, medians(result.measured))
                lines += [page.summary_line(one) for one in judgements]
    return lines
