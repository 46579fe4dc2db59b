"""mpi4py.futures: an executor over MPI ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mpi4py.futures import MPICommExecutor
from peers.peer import Peer


class _Futures(Peer):
    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._executor.submit(function, *arguments).result()

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        return self._executor.map(function, items)  # type: ignore[no-any-return]

    def chunked(self, function: Callable[..., Any], items: Sequence[Any]) -> Iterator[Any]:
        return self._executor.map(function, items, chunksize=self.chunk)  # type: ignore[no-any-return]


@contextmanager
def opened(_: int) -> Iterator[Peer | None]:
    """The workers are the ranks that mpiexec has started; they get None."""
    with MPICommExecutor() as executor:
        yield None if executor is None else _Futures(executor)
