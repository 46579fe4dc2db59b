"""Ray: actors, one for each worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import ray
import work
from peers.peer import Peer
from peers.ray_start import cluster
from ray.util import ActorPool


class Worker:
    """What an actor does."""

    def __init__(self) -> None:
        self._matrix: Any = None

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call any function."""
        return function(*arguments)

    def null(self) -> None:
        """Do nothing."""

    def inc(self, number: int) -> int:
        """Add one."""
        return work.inc(number)

    def echo(self, array: Any) -> Any:
        """Give back what was given."""
        return work.echo(array)

    def keep(self, matrix: Any) -> None:
        """Keep a matrix."""
        self._matrix = matrix

    def times(self, row: Any) -> Any:
        """Multiply a row by it."""
        return work.times(row, self._matrix)


class _Actors(Peer):
    def __init__(self, actors: list[Any]) -> None:
        self._actors = actors

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function is work.echo:
            return ray.get(self._actors[0].echo.remote(*arguments))
        return ray.get(self._actors[0].run.remote(function, *arguments))

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        method = getattr(self._actors[0], function.__name__)
        for _ in range(count):
            ray.get(method.remote())

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        if function is work.inc:
            starts = [actor.inc.remote for actor in self._actors]
        else:
            reference = ray.put(function)
            starts = [self._run(actor, reference) for actor in self._actors]
        for result in [start(item) for start, item in zip(cycle(starts), items, strict=False)]:
            yield ray.get(result)

    def chunked(self, function: Callable[..., Any], items: Sequence[Any]) -> Iterator[Any]:
        """A pool: each actor gets the next chunk when it has done one."""
        pool = ActorPool(self._actors)
        for values in pool.map(
            lambda actor, chunk: actor.run.remote(work.each, function, chunk), self.chunks(items)
        ):
            yield from values

    @staticmethod
    def _run(actor: Any, function: Any) -> Callable[[Any], Any]:
        return lambda item: actor.run.remote(function, item)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Each actor maps the matrix from the object store once."""
        reference = ray.put(matrix)
        ray.get([actor.keep.remote(reference) for actor in self._actors])
        actors = cycle(self._actors)
        return list(
            ray.get([actor.times.remote(row) for actor, row in zip(actors, rows, strict=False)])
        )


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """As many actors as workers."""
    with cluster(workers):
        actor = ray.remote(num_cpus=1)(Worker)
        yield _Actors([actor.remote() for _ in range(workers)])
