"""Eggen et al.: how do a functional language and C with MPI compare at distributed sorting?"""

from __future__ import annotations

from functools import partial

from benchmarks.model import Absent, Claim, Medians

from lab.common.building import LINKED, C, Native
from lab.common.data import random_numbers
from lab.common.model import Experiment, Figure, Paper, Point, Program, System
from lab.common.places import BUILD, LAB
from lab.common.presence import COMPILER, MPI, RACKET
from lab.common.starting import cord, mpi, native, python
from lab.common.tables import beside, figure, table
from lab.sort import published
from lab.sort.published import WORKERS, Times

FOLDER = LAB / "sort"
PLAIN, OURS, C_MPI, SCHEME = "plain Python", "Cord", "C-MPI", "Racket"
SIZES = tuple(2**power for power in range(10, 26, 2))
PUBLISHED: dict[tuple[str, str], Times] = {
    ("insertion", C_MPI): published.MPI_INSERTION,
    ("quick", C_MPI): published.MPI_QUICK,
    ("insertion", SCHEME): published.SCHEME_INSERTION,
    ("quick", SCHEME): published.SCHEME_QUICK,
}

_SOURCE = FOLDER / "native" / "sort_mpi.c"
_RACKET = FOLDER / "native" / "sort.rkt"
NATIVES = (
    Native(
        "sort_mpi",
        (_SOURCE,),
        (("mpicc.openmpi", *C, str(_SOURCE), *LINKED, "-o", "sort_mpi"),),
        (COMPILER, MPI),
    ),
    Native(
        "compiled/sort_rkt.zo",
        (_RACKET,),
        (("cp", str(_RACKET), "sort.rkt"), ("raco", "make", "sort.rkt")),
        (RACKET,),
    ),
)


def _largest(algorithm: str, system: str, workers: int, short: bool) -> int:
    """The largest size that a system sorts in some seconds."""
    if algorithm == "quick":
        power = {SCHEME: 16 if short else 20}.get(system, 20 if short else 25)
    else:
        # insertion sort of parts takes the square of a part's length
        power = (13 if system == SCHEME else 16) + (0 if short else 2)
        power += {1: 0, 2: 0, 4: 1, 8: 1, 16: 2}[workers] if not short else 0
    return 1 << power


def _systems(algorithm: str, short: bool) -> tuple[System, ...]:
    workers = (1, 2, 4) if short else WORKERS
    repeats = 3
    path = random_numbers(2**20 if short else 2**25)
    found = []
    for count in workers:
        for system in (C_MPI, OURS, PLAIN, SCHEME):
            most = _largest(algorithm, system, count, short)
            sizes = [*(size for size in SIZES if size <= most)]
            if not short and algorithm == "quick" and most == SIZES[-1] * 2:
                sizes.append(most)
            name = f"{system}, {count}"
            words = (path, algorithm, count, repeats, *sizes)
            if system == C_MPI:
                found.append(mpi(name, "sort_mpi", count, path, algorithm, repeats, *sizes))
            elif system == PLAIN:
                found.append(python(name, "sort/program/main.py", *words))
            elif system == SCHEME:
                run = native(name, "compiled/sort_rkt.zo", needs=(RACKET,))
                found.append(_racket(run, words))
            else:
                replicas = f"remote.sorting.replicas={count}"
                found.append(cord(name, "sort/program/main.py", *words, settings=(replicas,)))
    return tuple(found)


def _racket(run: System, words: tuple[object, ...]) -> System:
    command = ("racket", str(BUILD / "sort.rkt"), *map(str, words))
    contender = type(run.contender)(run.contender.name, command, run.contender.folder)
    return System(contender, run.needs, run.native)


def _seconds(found: Medians, system: str, workers: int, size: int) -> float | None:
    return found.by_name.get(f"{system}, {workers}", {}).get(str(size))


def _sizes(found: Medians, system: str) -> list[int]:
    keys = {
        int(key)
        for name, measures in found.by_name.items()
        for key in measures
        if name.startswith(f"{system}, ") and key.isdigit()
    }
    return sorted(keys)


def _show(algorithm: str, found: Medians) -> list[str]:
    lines = []
    for system in (C_MPI, SCHEME, OURS, PLAIN):
        paper = PUBLISHED.get((algorithm, system), {})
        rows = []
        for size in _sizes(found, system):
            cells = []
            for workers, old in zip(WORKERS, paper.get(size, (None,) * 5), strict=True):
                seconds = _seconds(found, system, workers, size)
                cells.append(beside(figure(seconds, 1e3), old and old * 1e3))
            rows.append((f"{size:,}", *cells))
        if rows:
            titles = (f"{system}, ms", *(f"{count} workers" for count in WORKERS))
            lines += table(titles, rows)
    return ["Milliseconds; in brackets the paper's.", "", *lines] if lines else []


def _ratio(found: Medians, other: str) -> float:
    """Cord's time as a part of another's, at two workers and the largest size of both."""
    both = set(_sizes(found, OURS)) & set(_sizes(found, other))
    for size in sorted(both, reverse=True):
        ours, theirs = (_seconds(found, name, 2, size) for name in (OURS, other))
        if ours is not None and theirs is not None:
            return ours / theirs
    raise Absent(f"{other}, 2")


def _lines(found: Medians) -> dict[str, list[Point]]:
    lines: dict[str, list[Point]] = {}
    for system, workers in ((C_MPI, 1), (C_MPI, 2), (SCHEME, 2), (OURS, 2), (PLAIN, 2)):
        points = [
            (float(size), seconds)
            for size in _sizes(found, system)
            if (seconds := _seconds(found, system, workers, size)) is not None
        ]
        parts = "part" if workers == 1 else "parts"
        lines[f"{system}, {workers} {parts}"] = points
    return lines


def _experiment(algorithm: str, title: str, short: bool) -> Experiment:
    return Experiment(
        name=algorithm,
        title=title,
        notes=(
            "The time to deal the parts out, sort, collect and merge them. C-MPI, Cord and plain "
            "Python have the same kernels in C; Racket has its own language's."
        ),
        systems=_systems(algorithm, short),
        show=partial(_show, algorithm),
        claims=(
            Claim(
                f"{algorithm} sort in two parts: Cord's time, of C-MPI's",
                lambda found: _ratio(found, C_MPI),
                1.15,
                at_most=True,
            ),
        ),
        figures=(
            Figure(f"sort-{algorithm}", title, "numbers", "seconds", _lines, logarithmic="xy"),
        ),
        seconds=600,
    )


def _experiments(short: bool) -> tuple[Experiment, ...]:
    return (
        _experiment("insertion", "Insertion sort in parts (tables 1 and 3)", short),
        _experiment("quick", "Quicksort in parts (tables 2 and 4)", short),
    )


SORT = Paper(
    "sort",
    "Eggen et al.: functional languages in client-server applications",
    NATIVES,
    _experiments,
    (
        Program("plain Python", ("sort/program/main.py", "sort/program/sorting.py")),
        Program(
            "Cord",
            ("sort/program/main.py", "sort/program/sorting.py", "sort/program/cord.toml"),
        ),
        Program("C with MPI", ("sort/native/sort_mpi.c",)),
        Program("Racket with TCP and places", ("sort/native/sort.rkt",)),
    ),
)
