"""What the lab measures, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from benchmarks.model import Claim, Contender, Medians

from lab.common.building import Native
from lab.common.presence import Need

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class System:
    """One that is measured.

    Attributes:
        contender: How it is run.
        needs: What must be there besides what its native program needs.
        native: The native programs that it runs.
    """

    contender: Contender
    needs: tuple[Need, ...] = ()
    native: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing of lines.

    Attributes:
        name: Its file, without ending.
        title: What it shows.
        across: The title of the axis across.
        up: The title of the axis that goes up.
        lines: From the medians to the points of each line, by its name. A name that begins with
            "Cord" is drawn in Cord's colour, one that ends with a year in brackets is dashed.
        logarithmic: Which axes are: "", "x", "y" or "xy".
        shown: Whether the report shows it: it is then kept beside the report.
    """

    name: str
    title: str
    across: str
    up: str
    lines: Callable[[Medians], Mapping[str, list[Point]]]
    logarithmic: str = ""
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Experiment:
    """Systems that do the same work.

    Attributes:
        name: A word, for files.
        title: What is measured.
        notes: More about it, as Markdown.
        systems: Who is measured.
        show: From the medians to Markdown.
        claims: What is wanted.
        figures: What is drawn.
        around: Made before the first run, ended after the last one: a network, machines.
        seconds: How long one run may take.
    """

    name: str
    title: str
    notes: str
    systems: tuple[System, ...]
    show: Callable[[Medians], list[str]]
    claims: tuple[Claim, ...] = ()
    figures: tuple[Figure, ...] = ()
    around: Callable[[], AbstractContextManager[object]] = nullcontext
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Program:
    """One way to write a paper's program, for the count of its lines.

    Attributes:
        system: What it is written in.
        files: Its files below lab/; kernels and what only measures are not among them.
    """

    system: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper.

    Attributes:
        name: Its folder.
        title: Who asked what.
        natives: The programs that are built.
        experiments: What is measured; given whether the short form is wanted.
        programs: The ways in which it is written; the first one is the plain program.
    """

    name: str
    title: str
    natives: tuple[Native, ...]
    experiments: Callable[[bool], tuple[Experiment, ...]]
    programs: tuple[Program, ...] = field(default=())
