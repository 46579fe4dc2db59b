"""Schnaidt et al.: what does CORBA cost beside C++ sockets, and what do stateful servers gain?"""

from __future__ import annotations

from functools import partial

from benchmarks.model import Absent, Claim, Medians

from lab.common import network
from lab.common.building import CPP, LINKED, Native
from lab.common.model import Experiment, Figure, Paper, Point, Program, System
from lab.common.places import BUILD, LAB
from lab.common.presence import COMPILER, NETWORK, OMNIORB
from lab.common.starting import cord, native, python
from lab.common.tables import beside, figure, table
from lab.matmul import published
from lab.matmul.published import Times

SOURCES = LAB / "matmul" / "native"
PLAIN = "plain Python"
SOCKETS, CORBA, OURS = "C++ sockets", "CORBA", "Cord"
STATELESS, STATEFUL = "stateless", "stateful"
KINDS = tuple(
    (system, state) for state in (STATELESS, STATEFUL) for system in (SOCKETS, CORBA, OURS)
)
PUBLISHED: dict[tuple[str, str], Times] = {
    (SOCKETS, STATELESS): published.STATELESS,
    (SOCKETS, STATEFUL): published.STATEFUL,
    (CORBA, STATELESS): published.CORBA,
}
_PROGRAM = "matmul/program/main.py"


def _sockets(name: str) -> Native:
    source = SOURCES / "sockets" / f"{name}.cc"
    command = ("c++", *CPP, str(source), *LINKED, "-lpthread", "-o", name)
    return Native(name, (source, SOURCES / "sockets" / "wire.h"), (command,))


def _corba(name: str) -> Native:
    folder = SOURCES / "corba"
    source, interface = folder / f"{name}.cc", folder / "multiplier.idl"
    commands = (
        ("mkdir", "-p", "corba"),
        ("omniidl", "-bcxx", "-Wbami", "-Ccorba", str(interface)),
        (
            *("c++", *CPP, "-Wno-unused-parameter", f"-I{folder}", "-Icorba", str(source)),
            *("corba/multiplierSK.cc", *LINKED),
            *("-lomniORB4", "-lomniDynamic4", "-lomnithread", "-lpthread", "-o", name),
        ),
    )
    return Native(name, (source, interface, folder / "names.h"), commands, (COMPILER, OMNIORB))


NATIVES = (
    *map(_sockets, ("member_server", "matrix_server", "matrix_client")),
    *map(_corba, ("corba_server", "corba_client")),
)


def name_of(system: str, state: str, servers: int) -> str:
    """What a run is called."""
    return f"{system}, {state}, {servers}"


def _one(
    system: str, state: str, servers: int, repeats: int, sizes: tuple[int, ...], far: bool = False
) -> System:
    name = name_of(system, state, servers)
    here = network.at(0) if far else ()
    there = " ".join((*network.at("%"), "")) if far else ""
    prefix = (*here, "env", f"LAB_HOST={network.address(0)}") if far else ()
    if system == SOCKETS:
        words = (str(BUILD / "member_server"), f"{there}{BUILD / 'matrix_server'}", servers, state)
        made = native(name, "matrix_client", *words, repeats, *sizes, prefix=prefix)
    elif system == CORBA:
        words = (f"{there}{BUILD / 'corba_server'}", "multiply", servers, state)
        made = native(
            name, "corba_client", *words, repeats, *sizes, prefix=prefix, needs=(OMNIORB,)
        )
    else:
        variant = {STATELESS: None, STATEFUL: "resident"}[state]
        settings: tuple[str, ...] = (f"remote.product.replicas={servers}",)
        if far:
            variant = {STATELESS: "far", STATEFUL: "far-resident"}[state]
            settings = (*settings, f"engine.nodes={servers}")
        made = cord(
            name,
            _PROGRAM,
            variant=variant,
            settings=settings,
            lines=_input(repeats, sizes),
            prefix=here,
        )
    return System(made.contender, (*made.needs, *((NETWORK,) if far else ())), made.native)


def _input(repeats: int, sizes: tuple[int, ...]) -> list[int]:
    """What the program reads: the first does not count."""
    return [sizes[0], *(size for size in sizes for _ in range(repeats))]


def _here(short: bool) -> tuple[System, ...]:
    repeats = 3
    found = [
        python(
            PLAIN,
            _PROGRAM,
            lines=_input(repeats, (10, 100, 200, 500) if short else (10, 100, 200, 500, 1000)),
        )
    ]
    for servers in (1, 2, 4) if short else range(1, 11):
        for system, state in KINDS:
            large = (500,) if short else (500, 1000)
            # stateless, 1000 rows are 4 GB: as the paper did, only with few servers
            sizes = (10, 100, 200, *(large if state == STATEFUL or servers <= 2 else ()))
            found.append(_one(system, state, servers, repeats, sizes))
    return tuple(found)


def _far(short: bool) -> tuple[System, ...]:
    found = []
    for servers in (2,) if short else (1, 2, 5, 10):
        for system, state in KINDS:
            if state == STATELESS:
                sizes: tuple[int, ...] = (10, 100) if short else (10, 100, 200)
            else:
                sizes = (10, 100, 200) if short else (10, 100, 200, 500, 1000)
            found.append(_one(system, state, servers, 1, sizes, far=True))
    return tuple(found)


def _seconds(found: Medians, system: str, state: str, servers: int, size: int) -> float | None:
    return found.by_name.get(name_of(system, state, servers), {}).get(str(size))


def _sizes(found: Medians) -> list[int]:
    return sorted({int(key) for m in found.by_name.values() for key in m if key.isdigit()})


def _servers(found: Medians) -> list[int]:
    return sorted({int(name.rpartition(", ")[2]) for name in found.by_name if name != PLAIN})


def _show(far: bool, found: Medians) -> list[str]:
    lines = []
    sizes, plain = _sizes(found), found.by_name.get(PLAIN, {})
    for system, state in KINDS:
        paper = PUBLISHED.get((system, state), {})
        rows = []
        for servers in _servers(found):
            # on one machine the paper had one server beside the client, and no more
            old = paper.get(servers, {}) if far else (paper[None] if paper and servers == 1 else {})
            cells = [
                beside(
                    figure(_seconds(found, system, state, servers, size), 1e3),
                    old[size] * 1e3 if size in old else None,
                )
                for size in sizes
            ]
            if any(cell[0] != "-" for cell in cells):
                rows.append((str(servers), *cells))
        if rows:
            titles = (f"{system}, {state}: servers", *(f"{size} x {size}" for size in sizes))
            lines += table(titles, rows)
    if plain:
        cells = [beside(figure(plain.get(str(s)), 1e3), published.ALONE[s] * 1e3) for s in sizes]
        lines += table((f"{PLAIN}, no servers", *(f"{s} x {s}" for s in sizes)), [("", *cells)])
        lines += _speedups(found, sizes[-1])
    return ["Milliseconds; in brackets the paper's.", "", *lines] if lines else []


def _speedups(found: Medians, size: int) -> list[str]:
    """Appendix C: speed-up and efficiency of stateful servers, at the largest size."""
    alone = found.by_name[PLAIN].get(str(size))
    rows = []
    for servers in _servers(found):
        cells = []
        for system in (SOCKETS, CORBA, OURS):
            seconds = _seconds(found, system, STATEFUL, servers, size)
            speedup = alone / seconds if alone and seconds else None
            cells += [figure(speedup), figure(speedup and speedup / servers)]
        old = published.STATEFUL.get(servers, {}).get(size)
        gain = published.ALONE[size] / old if old else None
        rows.append((str(servers), *cells, figure(gain), figure(gain and gain / servers)))
    titles = [f"{size} x {size}, stateful: servers"]
    for system in (SOCKETS, CORBA, OURS, "the paper's sockets"):
        titles += [f"{system}: speed-up", "efficiency"]
    return table(titles, rows)


def _largest_ratio(ours: str, theirs: str, state: str, found: Medians) -> float:
    """Cord's time as a part of another's, with two servers at the largest size of both."""
    for size in reversed(_sizes(found)):
        times = [_seconds(found, system, state, 2, size) for system in (ours, theirs)]
        if times[0] is not None and times[1] is not None:
            return times[0] / times[1]
    raise Absent(theirs)


def _claim(theirs: str, state: str, wanted: float, where: str) -> Claim:
    return Claim(
        f"{state} servers{where}: Cord's time, of that of {theirs}",
        partial(_largest_ratio, OURS, theirs, state),
        wanted,
        at_most=True,
    )


def _speedup_lines(found: Medians) -> dict[str, list[Point]]:
    sizes = _sizes(found)
    lines: dict[str, list[Point]] = {}
    alone = found.by_name.get(PLAIN, {}).get(str(sizes[-1])) if sizes else None
    if alone is None:
        return lines
    for system in (SOCKETS, CORBA, OURS):
        times = [(n, _seconds(found, system, STATEFUL, n, sizes[-1])) for n in _servers(found)]
        lines[f"{system}, {sizes[-1]}"] = [(float(n), alone / t) for n, t in times if t]
    for size in (500, 1000):
        lines[f"sockets, {size} (1998)"] = [
            (float(servers), published.ALONE[size] / times[size])
            for servers, times in published.STATEFUL.items()
            if servers is not None
        ]
    return lines


def _overhead_lines(found: Medians) -> dict[str, list[Point]]:
    return {
        f"{system}, {state}": [
            (float(size), t)
            for size in _sizes(found)
            if (t := _seconds(found, system, state, 2, size)) is not None
        ]
        for system, state in KINDS
    }


def _experiments(short: bool) -> tuple[Experiment, ...]:
    return (
        Experiment(
            name="here",
            title="Stateless and stateful servers on one machine (appendix A to C)",
            notes=(
                "A row of the first matrix and, stateless, the whole second one go to a server, "
                "which gives back a row of the product. All have the same kernel in C, on whole "
                "numbers of 32 bits. Cord's stateful servers are the line `resident = "
                '["matrix"]`. There are two cores, so more servers are a test of overhead.'
            ),
            systems=_here(short),
            show=partial(_show, False),
            claims=(
                _claim(SOCKETS, STATEFUL, 1.1, ", one machine"),
                _claim(CORBA, STATEFUL, 1.0, ", one machine"),
                _claim(SOCKETS, STATELESS, 1.1, ", one machine"),
                _claim(CORBA, STATELESS, 1.0, ", one machine"),
            ),
            figures=(
                Figure(
                    "matmul-speedup",
                    "Stateful servers: speed-up over the plain program (figure 6)",
                    "servers",
                    "speed-up",
                    _speedup_lines,
                ),
                Figure(
                    "matmul-size",
                    "Two servers, by size (figures 4 and 5)",
                    "rows and columns",
                    "seconds",
                    _overhead_lines,
                    "xy",
                    shown=True,
                ),
            ),
            seconds=600,
        ),
        Experiment(
            name="network",
            title="The same over 10 Mb/s, each server on a machine of its own (appendix A and B)",
            notes=(
                "Client and servers are network namespaces, joined by a switch; each card has a "
                "token-bucket filter of 10 Mb/s."
            ),
            systems=_far(short),
            show=partial(_show, True),
            claims=(
                _claim(SOCKETS, STATEFUL, 1.1, " over 10 Mb/s"),
                _claim(CORBA, STATEFUL, 1.0, " over 10 Mb/s"),
            ),
            around=partial(network.if_permitted, 2 if short else 10),
            seconds=600,
        ),
    )


MATMUL = Paper(
    "matmul",
    "Schnaidt et al.: C++ sockets and CORBA in a distributed matrix multiply application",
    NATIVES,
    _experiments,
    (
        Program("plain Python", ("matmul/program/main.py", "matmul/program/product.py")),
        Program(
            "Cord",
            ("matmul/program/main.py", "matmul/program/product.py", "matmul/program/cord.toml"),
        ),
        Program(
            "C++ sockets",
            tuple(
                f"matmul/native/sockets/{one}"
                for one in ("wire.h", "member_server.cc", "matrix_server.cc", "matrix_client.cc")
            ),
        ),
        Program(
            "CORBA (omniORB)",
            tuple(
                f"matmul/native/corba/{one}"
                for one in ("multiplier.idl", "names.h", "corba_server.cc", "corba_client.cc")
            ),
        ),
    ),
)
