"""A child that a remote function has forked: no replica, it ends as it would in the program."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import NoReturn

    from cord import _core


class Fork:
    """Tells whether this process is the replica or a child that a remote function forked.

    Attributes:
        happened: Whether it is such a child.
        endpoints: The replica's ends of its links.
    """

    __slots__ = ("endpoints", "happened")

    def __init__(self) -> None:
        self.happened = False
        self.endpoints: set[_core.Endpoint] = set()
        os.register_at_fork(after_in_child=self._in_child)

    def _in_child(self) -> None:
        if not self.happened:
            self.happened = True
            for endpoint in self.endpoints:
                endpoint.abandon()  # other remote modules are local there


def end_forked_child(exc: BaseException) -> NoReturn:
    """End a child that a remote function forked, as the interpreter would on this exception."""
    code = 1
    if isinstance(exc, SystemExit):
        code = exc.code if isinstance(exc.code, int) else 0 if exc.code is None else 1
        if isinstance(exc.code, str):
            sys.stderr.write(f"{exc.code}\n")
    else:
        sys.excepthook(type(exc), exc, exc.__traceback__)
    os._exit(code & 0xFF)
