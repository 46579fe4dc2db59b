"""What is measured of every peer; the counterparts of the programs in ../programs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import cores
import work
from footprint import idle_bytes
from peers.peer import Peer
from timing import median, per_call, report, since_start

TASK = 0.001
COMPUTING = 0.0004
ECHO_BYTES = 64 * 2**20


def null(peer: Peer, _: int) -> None:
    """The time of a call that does nothing."""
    cores.pin(0)
    peer.call(work.pin, 1)
    peer.repeat(work.null, 10)
    begin = time.perf_counter()
    peer.repeat(work.null, 10)
    batch = 200 if time.perf_counter() - begin < 0.005 else 20
    report(seconds=per_call(partial(peer.repeat, work.null), batch))


def calls(peer: Peer, count: int) -> None:
    """The rate of calls that do next to nothing."""
    list(peer.stream(work.inc, range(min(count, 1000))))
    begin = time.perf_counter()
    results = list(peer.stream(work.inc, range(count)))
    seconds = time.perf_counter() - begin
    assert results == list(range(1, count + 1))
    report(rate=count / seconds)


def busy(peer: Peer, count: int) -> None:
    """How much of two cores' time becomes work."""
    report(efficiency=count * TASK / _streamed(peer, work.busy, count) / 2)


def naps(peer: Peer, count: int) -> None:
    """The rate of calls that only wait."""
    report(rate=count / _streamed(peer, work.nap, count))


def naps_chunked(peer: Peer, count: int) -> None:
    """The same, the calls put together by hand."""
    list(peer.chunked(work.nap, [0.0] * 8 * peer.chunk))
    begin = time.perf_counter()
    values = list(peer.chunked(work.nap, [TASK] * count))
    report(rate=len(values) / (time.perf_counter() - begin))


def naps_in_turn(peer: Peer, count: int) -> None:
    """The same, each call waited for before the next."""
    for _ in range(80):
        peer.call(work.nap, TASK)
    begin = time.perf_counter()
    for _ in range(count):
        peer.call(work.nap, TASK)
    report(rate=count / (time.perf_counter() - begin))


def _streamed(peer: Peer, function: Callable[[float], Any], count: int) -> float:
    list(peer.stream(function, [TASK] * 80))
    begin = time.perf_counter()
    list(peer.stream(function, [TASK] * count))
    return time.perf_counter() - begin


def starve(peer: Peer, count: int) -> None:
    """Calls that only wait, while the client computes between them and while it does not."""
    block = 200
    turns = round(10_000 * COMPUTING / (_alone(10_000, 50) / 50))
    list(peer.stream(work.nap, [TASK] * 20))
    kept, slowed = [], []
    for _ in range(count // block):
        undisturbed = _alone(turns, block)
        waiting, _ = _naps(peer, block, 0)
        both, spent = _naps(peer, block, turns)
        kept.append(waiting / both)
        slowed.append(spent / undisturbed)
    report(kept=median(kept), slowed=median(slowed))


def _naps(peer: Peer, count: int, turns: int) -> tuple[float, float]:
    """How long the calls take, and how long the computing beside them, in seconds."""
    spent = 0.0
    begin = time.perf_counter()
    for _ in peer.stream(work.nap, [TASK] * count):
        if turns:
            spent += _alone(turns, 1)
    return time.perf_counter() - begin, spent


def _compute(turns: int) -> int:
    total = 0
    for number in range(turns):
        total += number * number % 7
    return total


def _alone(turns: int, count: int) -> float:
    spent = 0.0
    for _ in range(count):
        begin = time.perf_counter()
        _compute(turns)
        spent += time.perf_counter() - begin
    return spent


def mandelbrot(peer: Peer, _: int) -> None:
    """How long the rows of examples/mandelbrot take."""
    import fractal

    list(peer.stream(partial(fractal.row, width=20, height=20, limit=100), range(20)))
    begin = time.perf_counter()
    rows = list(peer.stream(partial(fractal.row, width=200, height=200, limit=2000), range(200)))
    seconds = time.perf_counter() - begin
    assert len(rows) == 200
    report(seconds=seconds)


def matrix(peer: Peer, _: int) -> None:
    """How long 500 calls take that all need the same matrix of 8 MiB."""
    import numpy as np

    numbers = np.random.default_rng(seed=1)
    factor = numbers.random((1024, 1024))
    rows = numbers.random((500, 1024))
    small = np.ascontiguousarray(factor[:4, :4])
    peer.products(rows[:4, :4], small)
    begin = time.perf_counter()
    results = peer.products(rows, factor)
    seconds = time.perf_counter() - begin
    assert np.allclose(results, rows @ factor)
    report(seconds=seconds)


def echo(peer: Peer, _: int) -> None:
    """How fast an array of 64 MiB goes to a worker and comes back."""
    import numpy as np

    array = np.random.default_rng(seed=1).random(ECHO_BYTES // 8)

    def echoes(count: int) -> None:
        for _ in range(count):
            back = peer.call(work.echo, array)
        assert back[-1] == array[-1]

    echoes(2)
    report(rate=2 * array.nbytes / per_call(echoes, 1))


def start(peer: Peer, _: int) -> None:
    """How long it takes from the command to the first result."""
    assert peer.call(work.inc, 1) == 2
    report(seconds=since_start())


def memory(peer: Peer, _: int) -> None:
    """How much memory all processes have when they have nothing to do."""
    assert list(peer.stream(work.inc, range(100))) == list(range(1, 101))
    report(bytes=idle_bytes())


JOBS: dict[str, Callable[[Peer, int], None]] = {
    job.__name__: job
    for job in (
        *(null, calls, busy, naps, naps_chunked, naps_in_turn, starve),
        *(mandelbrot, matrix, echo, start, memory),
    )
}
