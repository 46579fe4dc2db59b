"""From results to the pages: tables, figures, what is wanted and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.model import Result
from benchmarks.verdicts import judged, medians

from benchmarks import page, results
from lab.common import pictures
from lab.common.lines import lines_of_code
from lab.common.model import Experiment, Paper
from lab.common.places import LAB, PAGE, PICTURES, RESULTS
from lab.common.tables import table


def file_name(paper: Paper, experiment: Experiment) -> str:
    """Where the results of an experiment are kept."""
    return f"{paper.name}-{experiment.name}"


def section(paper: Paper, experiment: Experiment, result: Result) -> list[str]:
    """All that was measured in an experiment; its figures are drawn."""
    found = medians(result.measured)
    lines = [f"#### {experiment.title}", "", experiment.notes, ""]
    lines += experiment.show(found)
    absent = [one for one in result.measured if one.failure is not None]
    lines += [f"- {one.name}: skipped: {_one_line(one.failure)}" for one in absent]
    lines += [""] if absent else []
    if experiment.claims:
        lines += ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
        lines += [page.summary_line(one) for one in judged(experiment.claims, found)] + [""]
    for figure in experiment.figures:
        if pictures.draw(figure, found, PICTURES):
            lines += pictures.markdown(figure, PICTURES.name)
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


def loaded(paper: Paper) -> list[tuple[Experiment, Result]]:
    """The experiments of a paper that have results, with the last ones."""
    # what is shown of a result does not depend on the form that is measured next
    found = ((one, results.load(file_name(paper, one), RESULTS)) for one in paper.experiments(True))
    return [(experiment, result) for experiment, result in found if result is not None]


def keep(paper: Paper, experiment: Experiment, result: Result) -> None:
    """Keep a result in place of the last one, under a name that tells the paper."""
    named = Result(file_name(paper, experiment), result.rounds, result.facts, result.measured)
    results.save(named, RESULTS)


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
    return table(("lines of code", "all", "beyond the plain program"), rows) if rows else []


def write(paper: Paper) -> None:
    """Write what is measured of a paper into the report."""
    lines: list[str] = []
    for experiment, result in loaded(paper):
        lines += section(paper, experiment, result)
    lines += lines_table(paper)
    text = page.inserted(PAGE.read_text(), "\n".join(lines), paper.name)
    PAGE.write_text(text)


def verdict_lines(papers: Iterable[Paper]) -> list[str]:
    """What is wanted of all papers, and whether it holds."""
    lines = ["| what | figure | wanted | holds |", "|---|--:|--:|---|"]
    for paper in papers:
        for experiment, result in loaded(paper):
            found = judged(experiment.claims, medians(result.measured))
            lines += [page.summary_line(one) for one in found]
    return lines
