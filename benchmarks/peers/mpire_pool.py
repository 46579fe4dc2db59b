"""mpire.WorkerPool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import work
from mpire import WorkerPool
from peers.peer import Peer


class _Mpire(Peer):
    def __init__(self, pool: Any, workers: int) -> None:
        self._pool = pool
        self._workers = workers

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._pool.apply(function, arguments)

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        listed = [(item,) for item in items]
        return self._pool.imap(function, listed, iterable_len=len(listed), chunk_size=1)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """The workers are forked with the matrix as a shared object."""
        with WorkerPool(self._workers, shared_objects=matrix, start_method="fork") as pool:
            return list(pool.imap(_times, [(row,) for row in rows], iterable_len=len(rows)))


def _times(matrix: Any, row: Any) -> Any:
    return work.times(row, matrix)


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """A pool of forked workers that stay between calls."""
    with WorkerPool(workers, start_method="fork", keep_alive=True) as pool:
        yield _Mpire(pool, workers)
