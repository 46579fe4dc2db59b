"""multiprocessing.Pool."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool
from typing import Any

import work
from peers.peer import Peer

_matrix: Any = None


class _Pool(Peer):
    def __init__(self, pool: Pool, workers: int) -> None:
        self._pool = pool
        self._workers = workers

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._pool.apply(function, arguments)

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        return self._pool.imap(function, items)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """The workers are forked when the matrix is there, and share its memory."""
        global _matrix  # noqa: PLW0603
        _matrix = matrix
        with multiprocessing.get_context("fork").Pool(self._workers) as pool:
            return pool.map(_times, rows)


def _times(row: Any) -> Any:
    return work.times(row, _matrix)


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """A pool of forked workers."""
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield _Pool(pool, workers)
