"""mpi4py: rank 0 sends calls to the others, which answer them in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import work
from mpi4py import MPI
from peers.peer import Peer

WORLD = MPI.COMM_WORLD
WINDOW = 64  # calls under way at each worker: enough to hide the latency

CALL, STREAM, ECHO, KEEP, END = range(5)


class _Mpi(Peer):
    def __init__(self) -> None:
        self._workers = range(1, WORLD.size)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function is work.echo:
            return self._echo(*arguments)
        WORLD.send((function, arguments), 1, CALL)
        return WORLD.recv(source=1)

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        self._announce(function)
        send, receive = WORLD.send, WORLD.recv
        for _ in range(count):
            send((), 1, STREAM)
            receive(source=1)

    def _announce(self, function: Callable[..., Any]) -> None:
        for worker in self._workers:
            WORLD.send(function, worker, KEEP)

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        self._announce(function)
        send, receive = WORLD.send, WORLD.recv
        under_way: deque[int] = deque()
        most = WINDOW * len(self._workers)
        for worker, item in zip(cycle(self._workers), items):
            if len(under_way) == most:
                yield receive(source=under_way.popleft())
            send((item,), worker, STREAM)  # so small that it never blocks
            under_way.append(worker)
        while under_way:
            yield receive(source=under_way.popleft())

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Each worker is sent the matrix once; two rows are under way at each."""
        self._announce(_Times(matrix))
        results, under_way = [], deque[tuple[int, Any]]()
        for worker, row in zip(cycle(self._workers), rows):
            if len(under_way) == 2 * len(self._workers):
                results.append(_answer(*under_way.popleft()))
            under_way.append((worker, WORLD.isend((row,), worker, STREAM)))
        return results + [_answer(*pair) for pair in under_way]

    def _echo(self, array: Any) -> Any:
        """As buffers: no pickling, and memory that is used again."""
        if getattr(self, "_back", None) is None:
            import numpy as np

            self._back = np.empty_like(array)
        WORLD.send(array.nbytes, 1, ECHO)
        WORLD.Send(array, 1)
        WORLD.Recv(self._back, 1)
        return self._back


def _answer(worker: int, sent: Any) -> Any:
    answer = WORLD.recv(source=worker)
    sent.wait()
    return answer


class _Times:
    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __call__(self, row: Any) -> Any:
        return work.times(row, self.matrix)


def _serve() -> None:
    """What the other ranks do."""
    send, receive, status = WORLD.send, WORLD.recv, MPI.Status()
    function: Callable[..., Any] = work.null
    while True:
        message = receive(source=0, status=status)
        tag = status.tag
        if tag == STREAM:
            send(function(*message), 0)
        elif tag == CALL:
            send(message[0](*message[1]), 0)
        elif tag == KEEP:
            function = message
        elif tag == ECHO:
            _give_back(message)
        else:
            return


_buffers: dict[int, Any] = {}


def _give_back(size: int) -> None:
    import numpy as np

    buffer = _buffers.setdefault(size, np.empty(size, np.uint8))
    WORLD.Recv(buffer, 0)
    WORLD.Send(work.echo(buffer), 0)


@contextmanager
def opened(_: int) -> Iterator[Peer | None]:
    """The workers are the ranks that mpiexec has started."""
    if WORLD.rank > 0:
        _serve()
        yield None
        return
    yield _Mpi()
    for worker in range(1, WORLD.size):
        WORLD.send(None, worker, END)
