"""The messages of the control socket, and of that between the zygote and a template.

A message begins with its kind, one byte; numbers follow, of four bytes each, least byte first. The
kinds that the client knows are the core's. What the client asks for beside (`BESIDE`) is followed
by whatever it is about.
"""

from __future__ import annotations

import _socket

from cord import _core

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Final

LAUNCH: Final = _core.LAUNCH
STARTED: Final = _core.STARTED
ANEW: Final = _core.ANEW
EXITED: Final = _core.EXITED
BEYOND: Final = _core.BEYOND
FAILED: Final = _core.FAILED
# From a replica that others are to be copies of: it is their template, by its process id; or none.
TEMPLATE: Final = b"T"
NONE: Final = b"N"
# What a message begins with by which the client asks for something beside.
BESIDE: Final = _core.BESIDE

FD_SIZE: Final = 4
MESSAGE_SIZE: Final = 64


def message(kind: bytes, *numbers: int) -> bytes:
    """A message of this kind; a negative number is its two's complement."""
    return kind + b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in numbers)


def numbers(message: bytes) -> list[int]:
    """The numbers of a message, none of them negative."""
    ends = range(5, len(message) + 1, 4)
    return [int.from_bytes(message[end - 4 : end], "little") for end in ends]


def receive_with_descriptor(socket: _socket.socket) -> tuple[bytes, int]:
    """A message, and the descriptor that came with it, or -1.

    Raises:
        ConnectionError: The other side has gone, and had not read all.
    """
    size = _socket.CMSG_SPACE(FD_SIZE)
    got, ancillary, _, _ = socket.recvmsg(MESSAGE_SIZE, size, _socket.MSG_CMSG_CLOEXEC)
    for _, _, data in ancillary:
        return got, int.from_bytes(data[:FD_SIZE], "little")
    return got, -1
