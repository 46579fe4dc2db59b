"""What all papers teach together: one table, made of what each measured and how long it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.model import Result
from benchmarks.verdicts import medians

from benchmarks import page
from lab.common.lines import lines_of_code
from lab.common.model import Paper
from lab.common.places import LAB, PAGE
from lab.common.tables import figure, table

NAME = "together"
TITLES = (
    "way of distributing",
    "a call, waited for, µs",
    "one of 2,000, µs",
    "lines beyond the plain program",
    "gives up",
)
# the experiments that have its figures, and of which size they are
MEASURED = (("paradigms-latency", "0"), ("paradigms-stream", "1000"))


@dataclass(frozen=True, slots=True)
class Way:
    """A way to distribute a program.

    Attributes:
        name: In the table.
        measured: What it is called in the measurements of calls; none if it is not among them.
        programs: What it is called among the programs of the papers.
        gives_up: What one gives up.
    """

    name: str
    measured: str | None
    programs: tuple[str, ...]
    gives_up: str


WAYS = (
    Way(
        "messages: MPI",
        "MPI",
        ("MPI", "C with MPI"),
        "calls; a rank that dies ends the run; who sends what to whom, and when, is the program",
    ),
    Way(
        "messages: PVM",
        "PVM",
        ("PVM",),
        "calls and types; a daemon on every machine; nobody maintains it any more",
    ),
    Way(
        "sockets, by hand",
        None,
        ("C++ sockets",),
        "everything but bytes: framing, deadlocks of full buffers, names, errors",
    ),
    Way(
        "messages: Racket's places and TCP",
        None,
        ("Racket with TCP and places",),
        "the speed of C; framing and merging are by hand",
    ),
    Way(
        "calls: ONC RPC",
        "ONC RPC",
        ("ONC RPC",),
        "overlapping, but by threads; exceptions; an interface in another language",
    ),
    Way(
        "objects: Java RMI",
        "Java RMI",
        ("Java RMI",),
        "overlapping, but by threads; other languages; its exceptions are in every signature",
    ),
    Way(
        "objects: CORBA",
        "CORBA (omniORB)",
        ("CORBA (omniORB)",),
        "a simple program: an interface in another language, servants, policies, a naming service",
    ),
    Way(
        "processes: Erlang",
        None,
        ("Erlang",),
        "loops over calls: everything is a process and its messages",
    ),
    Way(
        "plain calls: Cord",
        "Cord",
        ("Cord", "cord serve"),
        "arguments that a call changes; impure functions run in place; a word on what is pure",
    ),
)


def write(papers: Sequence[Paper], results: Mapping[str, Result]) -> None:
    """Write the table into the report.

    Args:
        papers: All papers.
        results: What was measured, by the names of files; what the report has of other calls stays.
    """
    text = PAGE.read_text()
    new = "\n".join(lines(papers, results, page.between(text, NAME)))
    PAGE.write_text(page.inserted(text, new, NAME))


def lines(papers: Sequence[Paper], results: Mapping[str, Result], kept: str) -> list[str]:
    """The table; `kept` is the one that stands there."""
    cells = [line.strip("| ").split(" | ") for line in kept.splitlines()]
    there = {name: others for name, *others in cells if len(others) == len(TITLES) - 1}
    beyond = _lines_beyond(papers)
    rows = []
    for way in WAYS:
        times = there.get(way.name, ["-"] * len(MEASURED))[: len(MEASURED)]
        for number, (experiment, size) in enumerate(MEASURED):
            if (result := results.get(experiment)) is not None:
                found = medians(result.measured).by_name.get(way.measured or "", {})
                times[number] = figure(found.get(size), 1e6)
        counted = [text for name in way.programs for text in beyond.get(name, [])]
        rows.append((way.name, *times, ", ".join(counted) or "-", way.gives_up))
    first, _, *others = table(TITLES, rows)
    return [first, f"|---|{'--:|' * (len(TITLES) - 2)}---|", *others]


def _lines_beyond(papers: Sequence[Paper]) -> dict[str, list[str]]:
    """For each system, what its programs have beyond the plain ones, paper by paper."""
    beyond: dict[str, list[str]] = {}
    for paper in papers:
        if paper.programs:
            counts = [sum(lines_of_code(LAB / f) for f in one.files) for one in paper.programs]
            for program, count in zip(paper.programs[1:], counts[1:], strict=True):
                told = f"{paper.name} {count - counts[0]:+d}"
                beyond.setdefault(program.system, []).append(told)
    return beyond
