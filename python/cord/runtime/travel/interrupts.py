"""Exceptions that go into a call that is under way.

A signal's handler raises while the program waits for a remote function. A copy of what it raised is
raised in the midst of that function, as plain Python would raise it there. Where the copy passes
through the function, the program gets its own object back.
"""

from __future__ import annotations

import os
from _pickle import dumps, loads
from itertools import count

from cord.runtime.travel import raised
from cord.runtime.travel.exceptions import NUMBER, originals

_numbers = count(1)


class Sent:
    """The exceptions that were sent into one call; they are known until its outcome is decoded."""

    __slots__ = ("_mine",)

    def __init__(self) -> None:
        self._mine: list[int] = []

    def encode(self, exc: BaseException) -> bytes:
        """Encode one more.

        Args:
            exc: What the handler raised.

        Returns:
            What `received` takes.
        """
        number = (os.getpid() << 32) + next(_numbers)  # a copy may come by another process
        originals[number] = exc
        self._mine.append(number)
        return dumps((number, raised.encode_exception(exc, outward=True)), 5)

    def forget(self) -> None:
        """The outcome of the call is decoded, or will not be."""
        for number in self._mine:
            originals.pop(number, None)


def received(encoded: bytes) -> BaseException:
    """Make the copy that is to be raised.

    Args:
        encoded: What `Sent.encode` returned.
    """
    number, head = loads(encoded)
    exc = raised.decode_exception(head)
    exc.__dict__[NUMBER] = number
    return exc
