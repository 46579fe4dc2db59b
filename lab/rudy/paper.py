"""Sigurdsson, Rudy: what does a pool of processes gain a web server?"""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib.util import find_spec

from benchmarks.model import Claim, Contender, Medians

from lab.common.building import Native
from lab.common.model import Experiment, Figure, Paper, Point, Program, System
from lab.common.places import BIN, BUILD, LAB
from lab.common.presence import AB, ERLANG, Need
from lab.common.tables import beside, figure, table

DELAY = 40  # milliseconds
POOLS = (1, *range(10, 101, 10))
SEQUENTIAL = {
    100: 4.660858103, 200: 9.277230963, 300: 13.93041998, 400: 18.6059775, 500: 23.22068015,
}  # fmt: skip
POOLED = dict(
    zip(
        POOLS,
        (
            *(4.033926751, 0.380211564, 0.269060245, 0.214021727, 0.196885518, 0.150800505),
            *(0.152701674, 0.155557886, 0.143427895, 0.138553424, 0.127274186),
        ),
        strict=True,
    )
)
ALL_AT_ONCE = 4.09  # 100 requests at a time to the sequential server
WITHOUT_DELAY = 0.11  # 100 requests, one at a time
CORES = len(os.sched_getaffinity(0))
OURS, NATIVE = "cord serve", "Erlang"
FOLDER = LAB / "rudy"
_SOURCE = FOLDER / "native" / "rudy.erl"
NATIVES = (
    Native("erlang/rudy.beam", (_SOURCE,), (("erlc", "-o", "erlang", str(_SOURCE)),), (ERLANG,)),
)
AT_ONCE = "100x100"


def _serve_is_there() -> bool:
    """Whether what the command needs besides Cord is installed."""
    return find_spec("msgspec") is not None


SERVE = Need("cord serve", _serve_is_there, otherwise='pip install "cord-run[serve]"')


def _load(name: str, server: str, pairs: str, repeats: int, *needs: Need) -> System:
    words = (sys.executable, str(FOLDER / "load.py"), server, pairs, str(repeats))
    native = ("erlang/rudy.beam",) if ERLANG in needs else ()
    return System(Contender(name, words, str(BUILD)), (AB, *needs), native)


def _erlang(name: str, kind: str, delay: int, pairs: str, repeats: int) -> System:
    start = f"erl +K true -noshell -pa {BUILD / 'erlang'} -run rudy start {delay} {kind}"
    return _load(name, start, pairs, repeats, ERLANG)


def cord_serve(pool: int, delay: int, pairs: str, repeats: int) -> System:
    """`cord serve` with a pool, of threads where requests wait, else of replicas."""
    start = f"{sys.executable} {FOLDER / 'serve.py'} {BIN / 'cord'} {pool} {delay / 1000}"
    return _load(f"{OURS}, {pool}" if delay else f"{OURS}, rate", start, pairs, repeats, SERVE)


def _sequential(short: bool) -> tuple[System, ...]:
    counts = (100,) if short else tuple(SEQUENTIAL)
    pairs = ",".join((*(f"1x{count}" for count in counts), AT_ONCE))
    return (
        _erlang(f"{NATIVE}, sequential", "sequential", DELAY, pairs, 1),
        cord_serve(1, DELAY, pairs, 1),
    )


def _pools(short: bool) -> tuple[System, ...]:
    pools = (1, 10, 50, 100) if short else POOLS
    found = []
    for pool in pools:
        found.append(_erlang(f"{NATIVE}, {pool}", f"pool {pool}", DELAY, AT_ONCE, 3))
        found.append(cord_serve(pool, DELAY, AT_ONCE, 3))
    return tuple(found)


def _rates(short: bool) -> tuple[System, ...]:
    count = 2000 if short else 20_000
    pairs = f"1x100,100x{count}"
    return (
        _erlang(f"{NATIVE}, sequential", "sequential", 0, pairs, 1),
        _erlang(f"{NATIVE}, rate", "pool 100", 0, pairs, 1),
        cord_serve(CORES, 0, pairs, 1),
    )


def _show_sequential(found: Medians) -> list[str]:
    names = list(found.by_name)
    pairs = sorted(
        {key for m in found.by_name.values() for key in m if "x" in key},
        key=lambda pair: tuple(map(int, pair.split("x"))),
    )
    rows = []
    for pair in pairs:
        concurrent, count = map(int, pair.split("x"))
        paper = SEQUENTIAL.get(count) if concurrent == 1 else ALL_AT_ONCE
        cells = [beside(figure(found.by_name[name].get(pair)), paper) for name in names]
        rows.append((f"{count} requests, {concurrent} at a time", *cells))
    return ["Seconds; in brackets the paper's.", "", *table(("", *names), rows)] if rows else []


def _pooled(found: Medians, system: str, pool: int) -> float | None:
    return found.by_name.get(f"{system}, {pool}", {}).get(AT_ONCE)


def _show_pools(found: Medians) -> list[str]:
    rows = [
        (
            str(pool),
            figure(_pooled(found, NATIVE, pool)),
            figure(_pooled(found, OURS, pool)),
            figure(POOLED[pool]),
        )
        for pool in POOLS
        if any(_pooled(found, system, pool) for system in (NATIVE, OURS))
    ]
    return ["Seconds for 100 requests at once.", "", *table(("pool", NATIVE, OURS, "paper"), rows)]


def _show_rates(found: Medians) -> list[str]:
    rows = []
    for name, measures in found.by_name.items():
        one = measures.get("1x100")
        rate = max(
            (int(key.split("x")[1]) / value for key, value in measures.items() if "x" in key),
            default=None,
        )
        rows.append((name, beside(figure(one), WITHOUT_DELAY), figure(rate)))
    titles = ("", "100 requests, one at a time, s", "requests/s at the best, 100 at a time")
    return table(titles, rows) if rows else []


def _lines(found: Medians) -> dict[str, list[Point]]:
    lines: dict[str, list[Point]] = {}
    for system, title in ((NATIVE, "Erlang"), (OURS, "Cord, cord serve")):
        times = [(pool, _pooled(found, system, pool)) for pool in POOLS]
        lines[title] = [(float(pool), time) for pool, time in times if time is not None]
    lines["Erlang (2016)"] = [(float(pool), time) for pool, time in POOLED.items()]
    return lines


def _of_erlang(pool: int, found: Medians) -> float:
    return found.of(f"{OURS}, {pool}", AT_ONCE) / found.of(f"{NATIVE}, {pool}", AT_ONCE)


def _experiments(short: bool) -> tuple[Experiment, ...]:
    return (
        Experiment(
            name="sequential",
            title=f"One request at a time, {DELAY} ms each (table 1)",
            notes="The load comes from ab, on the same machine.",
            systems=_sequential(short),
            show=_show_sequential,
        ),
        Experiment(
            name="pools",
            title="100 requests at once, by the size of the pool (table 2, figure 2)",
            notes=f"Each request takes {DELAY} ms of waiting. The pool of cord serve is one "
            "replica with so many threads; that of Erlang so many processes.",
            systems=_pools(short),
            show=_show_pools,
            claims=(
                Claim(
                    "100 requests by a pool of 100: cord serve's time, of Erlang's",
                    partial(_of_erlang, 100),
                    1.15,
                    at_most=True,
                ),
            ),
            figures=(
                Figure(
                    "rudy-pools",
                    "100 requests of 40 ms at once",
                    "size of the pool",
                    "seconds",
                    _lines,
                    "y",
                ),
            ),
        ),
        Experiment(
            name="rates",
            title="Without the delay",
            notes="How many requests a server answers in a second, a connection for each. "
            "cord serve has a replica for each core, Erlang a pool of 100 processes.",
            systems=_rates(short),
            show=_show_rates,
        ),
    )


RUDY = Paper(
    "rudy",
    "Sigurdsson: Rudy, a web server with a pool of processes",
    NATIVES,
    _experiments,
    (
        Program("plain Python", ("rudy/program/page.py",)),
        Program("cord serve", ("rudy/program/page.py", "rudy/program/cord.toml")),
        Program("Erlang", ("rudy/native/rudy.erl",)),
    ),
)
