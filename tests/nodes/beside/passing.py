"""What passes connections on to an address, and can cut them, or let them fall silent."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress


class Passing:
    """Listens at a port of its own, and passes on who connects there.

    Args:
        address: Where to.

    Attributes:
        port: Its own.
        said: What each that has connected has said first.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.said: list[bytes] = []
        self._alive: list[socket.socket] = []
        self._silent: list[socket.socket] = []
        self._lets_through = threading.Lock()
        self._is_over = False
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Cut all connections that there are; others may be made."""
        with self._lets_through:
            self._cut()

    def _cut(self) -> None:
        for end in self._alive:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._alive.clear()

    def silence(self) -> None:
        """Nothing comes through any more by the connections that there are, and none is told so."""
        with self._lets_through:
            self._silent += self._alive

    def close(self) -> None:
        """Cut all, and let nobody through any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # one that is accepting goes on if only closed
        self._listener.close()
        with self._lets_through:
            self._is_over = True
            self._cut()

    def _serve(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
            except OSError:
                return
            with self._lets_through:
                if self._is_over:
                    one.close()
                    continue
                try:
                    other = socket.create_connection(self._address)
                except OSError:
                    one.close()
                    continue
                self._alive += [one, other]
            threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        waits = selectors.DefaultSelector()
        waits.register(one, selectors.EVENT_READ, other)
        waits.register(other, selectors.EVENT_READ, one)
        has_spoken = False
        with suppress(OSError):
            while True:
                for ready, _ in waits.select():
                    got = ready.fileobj.recv(65536)
                    if not got:
                        raise OSError
                    if ready.fileobj is one and not has_spoken:
                        has_spoken = True
                        self.said.append(got)
                    if one not in self._silent:
                        ready.data.sendall(got)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
