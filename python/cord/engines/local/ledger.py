"""What replicas say of threads that are left running, and what is written after the last reply.

A file in memory that client, zygote and replicas of a run share. Replicas add to it; who reads it
keeps its own place. So it holds no one up, and what a replica has said before it dies stays.
"""

from __future__ import annotations

import os
from contextlib import suppress

from cord import _core

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Final

    # What it is about, the replica's process, and what is written.
    Entry = tuple[bytes, int, bytes]

# A thread that the end of the program has to wait for has begun; it has ended.
BEGUN: Final = b"+"
ENDED: Final = b"-"
# What was written that no reply carries, for `cord.runtime.io.output.replay`.
OUTPUT: Final = b"o"
# This process starts replicas from now on.
ANEW: Final = b"z"

_HEAD: Final = 1 + 4 + 8


class Ledger:
    """One side's view of it.

    Args:
        fd: Descriptor of the file, which is taken over.
    """

    __slots__ = ("_file", "_read")

    def __init__(self, fd: int) -> None:
        self._file = _core.Descriptor(fd)
        self._read = 0

    @classmethod
    def make(cls) -> Ledger:
        """Make a new one.

        Raises:
            OSError: The system has no room for it.
        """
        made = os.memfd_create("cord-ledger", os.MFD_CLOEXEC)
        try:  # each entry is written in one piece
            name = f"/proc/self/fd/{made}"
            return cls(os.open(name, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC))
        finally:
            os.close(made)

    @property
    def fd(self) -> int:
        """Its descriptor, to be used at once.

        Raises:
            OSError: The program has closed it.
        """
        return self._file.fd

    def add(self, kind: bytes, payload: bytes = b"") -> None:
        """Write an entry, where nobody has closed the descriptor.

        Args:
            kind: What it is about.
            payload: What is written.
        """
        head = kind + os.getpid().to_bytes(4, "little") + len(payload).to_bytes(8, "little")
        with suppress(OSError):
            self._file.write(head + payload)

    def is_empty(self) -> bool:
        """Whether nothing was ever written."""
        try:
            return os.fstat(self._file.fd).st_size == 0
        except OSError:
            return True

    def news(self) -> list[Entry]:
        """The entries since the last time."""
        entries: list[Entry] = []
        with suppress(OSError):
            fd = self._file.fd
            while len(head := os.pread(fd, _HEAD, self._read)) == _HEAD:
                length = int.from_bytes(head[5:], "little")
                payload = os.pread(fd, length, self._read + _HEAD)
                if len(payload) < length:
                    break
                self._read += _HEAD + length
                entries.append((head[:1], int.from_bytes(head[1:5], "little"), payload))
        return entries
