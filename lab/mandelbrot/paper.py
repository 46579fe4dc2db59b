"""Kim and Purtilo, CORD: what do the strategies of one configuration file gain?"""

from __future__ import annotations

from functools import partial

from benchmarks.model import Claim, Contender, Medians

from lab.common import groups
from lab.common.building import c_program
from lab.common.model import Experiment, Figure, Paper, Point, Program, System
from lab.common.presence import GROUPS, MPI
from lab.common.starting import OPEN_MPI, cord, python
from lab.common.tables import beside, figure, table

# Seconds that each machine alone took in the paper, by callstyle.
PUBLISHED_ALONE = {
    "sync": {"harvey": 216, "rimfire": 103, "thumper": 86, "highpower": 57},
    "async": {"harvey": 125, "rimfire": 59, "thumper": 52, "highpower": 30},
}
PUBLISHED_TOGETHER = {"equal-shares": 34, "line": 26, "ring": 17}
MACHINES = tuple(PUBLISHED_ALONE["sync"])
FASTEST = 0.6  # of a core, so that all four and the client have room on two
SPEEDS = {name: FASTEST * 57 / seconds for name, seconds in PUBLISHED_ALONE["sync"].items()}
TIMES = 2  # each picture is drawn so often, and the last time counts
TITLES = {
    "equal-shares": "type 1: equal static shares",
    "line": "type 2: migration along a line",
    "ring": "type 3: migration round a ring",
    "demand": "by demand, one row at a time",
    "auto": "by demand, as many as hide the latency",
}
PLAIN, OURS, NATIVE = "plain Python", "Cord", "MPI"
_PROGRAM = "mandelbrot/program/main.py"
NATIVES = (
    c_program(
        "mandelbrot_mpi",
        "mandelbrot/native/mandelbrot_mpi.c",
        compiler="mpicc.openmpi",
        needs=(MPI,),
    ),
)


def _mpi(name: str, style: str, machines: tuple[str, ...], words: tuple[int, int]) -> System:
    """Rank 0 as it is, and one rank on each machine."""
    program = (str(NATIVES[0].path), style, *map(str, words))
    ranks = [("-n", "1", *program)]
    ranks += [("-n", "1", *groups.within(machine), *program) for machine in machines]
    joined = [word for rank in ranks for word in (":", *rank)][1:]
    command = (*OPEN_MPI, "--oversubscribe", *joined)
    return System(Contender(name, command, "."), (MPI, GROUPS), ("mandelbrot_mpi",))


def _cord(
    name: str, variant: str | None, machines: tuple[str, ...], words: tuple[int, int]
) -> System:
    size, limit = words
    prefix = ("env", f"LAB_MACHINES={' '.join(machines)}")
    return cord(
        name,
        _PROGRAM,
        size,
        variant=variant,
        lines=[limit] * TIMES,
        prefix=prefix,
        needs=(GROUPS,),
    )


def _alone(words: tuple[int, int]) -> tuple[System, ...]:
    found = []
    for machine in MACHINES:
        for style, variant in (("sync", "sync"), ("async", None)):
            found += [
                _cord(f"{OURS}, {style}, {machine}", variant, (machine,), words),
                _mpi(f"{NATIVE}, {style}, {machine}", style, (machine,), words),
            ]
    return tuple(found)


def _together(words: tuple[int, int]) -> tuple[System, ...]:
    size, limit = words
    found = [python(PLAIN, _PROGRAM, size, lines=[limit] * TIMES)]
    found += [_cord(f"{OURS}, {name}", name, MACHINES, words) for name in TITLES]
    found += [
        _mpi(f"{NATIVE}, equal-shares", "static", MACHINES, words),
        _mpi(f"{NATIVE}, demand", "sync", MACHINES, words),
        _mpi(f"{NATIVE}, auto", "async", MACHINES, words),
    ]
    return tuple(found)


def _seconds(found: Medians, system: str, *words: str) -> float | None:
    return found.by_name.get(", ".join((system, *words)), {}).get("seconds")


def _show_alone(found: Medians) -> list[str]:
    rows = []
    for system in (OURS, NATIVE):
        for style, paper in PUBLISHED_ALONE.items():
            cells = [
                beside(figure(_seconds(found, system, style, name)), paper[name])
                for name in MACHINES
            ]
            rows.append((f"{system}, {style}", *cells))
    return ["Seconds; in brackets the paper's.", "", *table(("", *MACHINES), rows)]


def _show_together(found: Medians) -> list[str]:
    rows = [
        (
            title,
            figure(_seconds(found, OURS, name)),
            figure(_seconds(found, NATIVE, name)),
            figure(PUBLISHED_TOGETHER.get(name)),
        )
        for name, title in TITLES.items()
    ]
    plain = figure(_seconds(found, PLAIN))
    lines = [f"Seconds; the plain program takes {plain} on a whole core.", ""]
    return lines + table(("all four machines", OURS, NATIVE, "paper"), rows)


def _best(found: Medians) -> float:
    return found.of(f"{OURS}, auto", "seconds") / found.of(f"{NATIVE}, auto", "seconds")


def _order(found: Medians) -> float:
    return found.of(f"{OURS}, ring", "seconds") / found.of(f"{OURS}, equal-shares", "seconds")


def _lines(found: Medians) -> dict[str, list[Point]]:
    """Times as a part of type 1's, so that both decades fit."""
    lines: dict[str, list[Point]] = {}
    names = ("equal-shares", "line", "ring")
    first = _seconds(found, OURS, "equal-shares")
    if first is None:
        return lines
    times = [(number, _seconds(found, OURS, name)) for number, name in enumerate(names, 1)]
    lines["Cord"] = [(float(number), time / first) for number, time in times if time]
    lines["CORD (1994)"] = [
        (float(number), PUBLISHED_TOGETHER[name] / PUBLISHED_TOGETHER["equal-shares"])
        for number, name in enumerate(names, 1)
    ]
    return lines


def _experiments(short: bool) -> tuple[Experiment, ...]:
    words = (200, 3000 if short else 15000)
    around = partial(groups.machines, SPEEDS)
    machines = (
        "The four machines are control groups with CPU quotas in the paper's ratio of speeds, "
        f"216 : 103 : 86 : 57; the fastest has {FASTEST} of a core. Cord starts an agent in "
        f"each, MPI a rank. {words[0]} rows of {words[0]} points, the same kernel in C. "
        "Cord draws the picture twice, and the second time counts: the slowest machine has "
        "imported NumPy by then."
    )
    return (
        Experiment(
            name="alone",
            title="One machine at a time, sync and async (table 1 a)",
            notes=machines,
            systems=_alone(words),
            show=_show_alone,
            around=around,
            seconds=300,
        ),
        Experiment(
            name="together",
            title="All four machines (table 1 b)",
            notes="As above; every row of Cord is another variant of one cord.toml.",
            systems=_together(words),
            show=_show_together,
            claims=(
                Claim(
                    "Mandelbrot on four machines: Cord's time, of that of MPI", _best, 1.15, True
                ),
                Claim("type 3, of type 1 (the paper: 0.5)", _order, 0.75, True),
            ),
            around=around,
            figures=(
                Figure(
                    "mandelbrot-types",
                    "Load balancing: time, of that of equal shares",
                    "type",
                    "of type 1",
                    _lines,
                ),
            ),
            seconds=300,
        ),
    )


MANDELBROT = Paper(
    "mandelbrot",
    "Kim and Purtilo: configuration-level optimization of RPC-based distributed programs",
    NATIVES,
    _experiments,
    (
        Program("plain Python", ("mandelbrot/program/main.py", "mandelbrot/program/fractal.py")),
        Program(
            "Cord",
            (
                "mandelbrot/program/main.py",
                "mandelbrot/program/fractal.py",
                "mandelbrot/program/cord.toml",
            ),
        ),
        Program("MPI", ("mandelbrot/native/mandelbrot_mpi.c",)),
    ),
)
