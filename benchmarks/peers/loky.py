"""joblib, with its own workers (loky)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import work
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from peers.peer import Peer


class _Joblib(Peer):
    def __init__(self, workers: int) -> None:
        self._parallel = Parallel(n_jobs=workers, return_as="generator")
        self._listed = Parallel(n_jobs=workers)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._listed([delayed(function)(*arguments)])[0]

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        yield from self._parallel(delayed(function)(item) for item in items)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Joblib itself puts the matrix into a file that the workers map."""
        return list(self._listed(delayed(work.times)(row, matrix) for row in rows))


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """Workers that are kept between calls of Parallel."""
    yield _Joblib(workers)
    get_reusable_executor().shutdown()
