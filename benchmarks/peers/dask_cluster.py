"""Dask distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import work
from distributed import Client, LocalCluster
from peers.peer import Peer


class _Dask(Peer):
    def __init__(self, client: Any) -> None:
        self._client = client

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(function, *arguments, pure=False).result()

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        for future in self._client.map(function, list(items), pure=False):
            yield future.result()

    def chunked(self, function: Callable[..., Any], items: Sequence[Any]) -> Iterator[Any]:
        chunks = self.chunks(items)
        futures = self._client.map(work.each, [function] * len(chunks), chunks, pure=False)
        for values in self._client.gather(futures):
            yield from values

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Each worker has the matrix scattered to it."""
        scattered = self._client.scatter(matrix, broadcast=True, hash=False)
        futures = self._client.map(work.times, list(rows), matrix=scattered, pure=False)
        return list(self._client.gather(futures))


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """A cluster of processes with one thread each."""
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield _Dask(client)
