"""Ray: tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import ray
import work
from peers.peer import Peer
from peers.ray_start import cluster


class _Tasks(Peer):
    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return ray.get(_remote(function).remote(*arguments))

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        task = _remote(function)
        for reference in [task.remote(item) for item in items]:
            yield ray.get(reference)

    def chunked(self, function: Callable[..., Any], items: Sequence[Any]) -> Iterator[Any]:
        task = _remote(work.each)
        for values in ray.get([task.remote(function, chunk) for chunk in self.chunks(items)]):
            yield from values

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """The matrix is put into the object store once."""
        reference, task = ray.put(matrix), _remote(work.times)
        return list(ray.get([task.remote(row, reference) for row in rows]))


def _remote(function: Callable[..., Any]) -> Any:
    if isinstance(function, partial):
        return _of_partial(function.func, tuple(function.keywords.items()))
    return _of_function(function)


@cache
def _of_function(function: Callable[..., Any]) -> Any:
    return ray.remote(function)


@cache
def _of_partial(function: Callable[..., Any], keywords: tuple[tuple[str, Any], ...]) -> Any:
    given = dict(keywords)
    return ray.remote(lambda item: function(item, **given))


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """A cluster with as many processors as workers."""
    with cluster(workers):
        yield _Tasks()
