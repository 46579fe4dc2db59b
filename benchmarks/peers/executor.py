"""concurrent.futures.ProcessPoolExecutor."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import work
from peers.peer import Peer

_matrix: Any = None


class _Executor(Peer):
    def __init__(self, executor: ProcessPoolExecutor, workers: int) -> None:
        self._executor = executor
        self._workers = workers

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._executor.submit(function, *arguments).result()

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        return self._executor.map(function, items)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Each worker gets the matrix once, when it starts."""
        with _executor(self._workers, _keep, (matrix,)) as executor:
            return list(executor.map(_times, rows, chunksize=max(1, len(rows) // 20)))


def _keep(matrix: Any) -> None:
    global _matrix  # noqa: PLW0603
    _matrix = matrix


def _times(row: Any) -> Any:
    return work.times(row, _matrix)


def _executor(workers: int, *initial: Any) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), *initial)


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """An executor of forked workers."""
    with _executor(workers) as executor:
        yield _Executor(executor, workers)
