"""What calls do outside of the interpreter, as its audit events tell: files, network, processes.

Of a library nobody knows the text; but what it does is seen while it is done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from cord.tools.verify.observer import CHANGES_FILE, NETWORK, PROCESS, WRITES

_EVENTS = {
    **dict.fromkeys(NETWORK, "uses the network"),
    **dict.fromkeys(PROCESS, "starts a process"),
    **dict.fromkeys(CHANGES_FILE, "changes files"),
}


class Outside:
    """Notes what is done outside while calls are under way.

    Attributes:
        seen: By what was under way, what it did first, in words.
    """

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}
        self._under_way: list[str] = []
        self._thread = 0
        sys.addaudithook(self._hear)

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """Around a call of a function, by its name."""
        if self._under_way and self._thread != get_ident():
            yield  # one thread at a time is heard
            return
        self._thread = get_ident()
        self._under_way.append(name)
        try:
            yield
        finally:
            self._under_way.pop()

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function, what it does noted under a name."""

        def call(*args: Any, **kwargs: Any) -> Any:
            with self.during(name):
                return function(*args, **kwargs)

        return call

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._under_way or self._thread != get_ident():
            return
        what = _EVENTS.get(event)
        if args and isinstance(args[0], str) and "__pycache__" in args[0]:
            return  # what Python keeps of modules
        if event == "open" and _is_written(*args):
            what = f"writes the file {args[0]}"
        if what is not None:
            for name in self._under_way:
                self.seen.setdefault(name, what)


def _is_written(path: object, mode: object, flags: object) -> bool:
    """Whether a file is opened to be changed."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False  # a descriptor, whose file was opened before
    name = os.fsdecode(path)
    if name == os.devnull:
        return False
    if isinstance(mode, str):
        return any(sign in mode for sign in "wax+")
    return isinstance(flags, int) and bool(flags & WRITES)
