"""Bare socket pairs between forked processes: a float each way, and nothing else is done."""

from __future__ import annotations

import os
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from selectors import EVENT_READ, DefaultSelector
from typing import Any

from peers.peer import Peer

FLOAT = struct.Struct("d")
DEPTH = 2  # the next call is there when one ends


class _Pairs(Peer):
    def __init__(self, workers: int) -> None:
        self._count = workers
        self._children: list[int] = []
        self._sockets: list[socket.socket] = []

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        """Whoever has answered gets the next; values as they come, for all are the same here."""
        if not self._sockets:
            self._start(function)
        waiting = iter(items)
        selector = DefaultSelector()
        pending = 0
        for each in self._sockets:
            selector.register(each, EVENT_READ)
            for item in islice(waiting, DEPTH):
                each.send(FLOAT.pack(item))
                pending += 1
        answers: deque[float] = deque()
        while pending:
            for key, _ in selector.select():
                answers.append(FLOAT.unpack(key.fileobj.recv(FLOAT.size))[0])  # type: ignore[union-attr]
                pending -= 1
                for item in islice(waiting, 1):
                    key.fileobj.send(FLOAT.pack(item))  # type: ignore[union-attr]
                    pending += 1
            while answers:
                yield answers.popleft()
        selector.close()

    def _start(self, function: Callable[..., Any]) -> None:
        for _ in range(self._count):
            here, there = socket.socketpair()
            if child := os.fork():
                there.close()
                self._children.append(child)
                self._sockets.append(here)
            else:
                while message := there.recv(FLOAT.size):
                    there.send(FLOAT.pack(function(*FLOAT.unpack(message))))
                os._exit(0)

    def close(self) -> None:
        """End the children."""
        for each in self._sockets:
            each.shutdown(socket.SHUT_RDWR)
        for child in self._children:
            os.waitpid(child, 0)


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """Processes are forked at the first stream, for its function."""
    peer = _Pairs(workers)
    yield peer
    peer.close()
