"""pyzmq: a socket for each worker, pickles on them."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import zmq
from peers.peer import Peer
from peers.served import servers

WINDOW = 64


class _Zmq(Peer):
    def __init__(self, sockets: list[Any]) -> None:
        self._sockets = sockets

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        _send(self._sockets[0], (function, arguments))
        return _receive(self._sockets[0])

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        under_way: deque[Any] = deque()
        for socket, item in zip(cycle(self._sockets), items):
            if len(under_way) == WINDOW * len(self._sockets):
                yield _receive(under_way.popleft())
            _send(socket, (function, (item,)))
            under_way.append(socket)
        while under_way:
            yield _receive(under_way.popleft())


def _send(socket: Any, message: Any) -> None:
    """Large buffers go beside the pickle, and are not copied."""
    buffers: list[Any] = []
    pickled = pickle.dumps(message, 5, buffer_callback=buffers.append)
    if buffers:
        socket.send_multipart([pickled, *buffers], copy=False)
    else:
        socket.send(pickled)


def _receive(socket: Any) -> Any:
    first = socket.recv(copy=True)
    buffers = []
    while socket.getsockopt(zmq.RCVMORE):
        buffers.append(socket.recv(copy=False).buffer)
    return pickle.loads(first, buffers=buffers)


def _serve(path: str) -> None:
    socket = zmq.Context().socket(zmq.PAIR)
    socket.bind(f"ipc://{path}")
    while True:
        function, arguments = _receive(socket)
        _send(socket, function(*arguments))


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """As many servers as workers."""
    with servers(_serve, workers) as paths, zmq.Context() as context:
        sockets = [context.socket(zmq.PAIR) for _ in paths]
        for socket, path in zip(sockets, paths, strict=True):
            socket.connect(f"ipc://{path}")
        yield _Zmq(sockets)
        for socket in sockets:
            socket.close(linger=0)
