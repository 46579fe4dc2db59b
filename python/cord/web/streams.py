"""Bodies that go bit by bit: over a socket to the front end, which has the client's pace.

What is on the wire, `crates/cord-http/src/stream.rs` says.
"""

from __future__ import annotations

import io
import socket
import struct
from collections.abc import Iterator
from typing import Any

_LENGTH = struct.Struct("<I")
_NUMBER = struct.Struct("<Q")
_MOST = 1 << 20  # bytes of one frame


class Gone(Exception):
    """The client, or the front end, has broken off."""


class Stream:
    """The connection of one request to the front end.

    Args:
        address: The front end's name among abstract sockets.
        number: The request's.

    Raises:
        Gone: Nobody is there.
    """

    def __init__(self, address: str, number: int) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(f"\0{address}")
            self._socket.sendall(_NUMBER.pack(number))
        except OSError as error:
            self._socket.close()
            raise Gone(str(error)) from None
        self.has_begun = False

    def begin(self, head: bytes) -> None:
        """Send the head of the response, after which only its body can come."""
        self.has_begun = True
        self._send(_LENGTH.pack(len(head)) + head)

    def send(self, piece: bytes) -> None:
        """Send some of the body; waits while the client does not take it."""
        for at in range(0, len(piece), _MOST):
            part = piece[at : at + _MOST]
            self._send(_LENGTH.pack(len(part)) + part)

    def end(self) -> None:
        """The body is whole."""
        self._send(_LENGTH.pack(0))

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise Gone(str(error)) from None

    def receive(self) -> bytes:
        """The next bytes of the request's body; nothing at its end."""
        (length,) = _LENGTH.unpack(self._exactly(4))
        return self._exactly(length)

    def _exactly(self, length: int) -> bytes:
        whole = bytearray()
        while len(whole) < length:
            try:
                part = self._socket.recv(length - len(whole))
            except OSError as error:
                raise Gone(str(error)) from None
            if not part:
                raise Gone("the request's body has not come to its end")
            whole += part
        return bytes(whole)

    def close(self) -> None:
        """Break off, unless the body is whole."""
        self._socket.close()


class Incoming(Iterator[bytes]):
    """A request's body, piece by piece, as it comes."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._is_over = False

    def __next__(self) -> bytes:
        piece = b"" if self._is_over else self._stream.receive()
        if not piece:
            self._is_over = True
            raise StopIteration
        return piece


class _Raw(io.RawIOBase):
    def __init__(self, pieces: Incoming) -> None:
        self._pieces = pieces
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not len(self._left):
            self._left = memoryview(next(self._pieces, b""))
        into = memoryview(buffer).cast("B")
        count = min(len(into), len(self._left))
        into[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


def reader(pieces: Incoming) -> Any:
    """The same as a binary file."""
    return io.BufferedReader(_Raw(pieces))
