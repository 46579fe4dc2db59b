"""Files that scouts read beside the program, by descriptors of their own.

The program's handle is not touched: what it reads, where it stands and when it closes is as without
Cord. A scout of a loop over a regular file opens the file once more. What comes through a pipe to
stdin can be read once only: there a `Tee` below `sys.stdin` keeps what it has read ahead.
"""

from __future__ import annotations

import locale
import os
import select
import stat
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from functools import partial
from io import BufferedReader, FileIO, TextIOWrapper, UnsupportedOperation
from typing import Any
from weakref import WeakKeyDictionary

from cord import _core
from cord._core import Cursor
from cord.knowledge.classes import home_of

STDIN = "sys.stdin"
OPEN = "builtins.open"

# How much of what came through a pipe is kept behind the program, and read ahead of it, in bytes.
_KEPT = 1 << 20
_AHEAD = 16 << 20
_CHUNK = 1 << 16
# A text position that is nothing but a number of bytes.
_PLAIN_POSITION = 1 << 63

_places: WeakKeyDictionary[Any, Cursor] = WeakKeyDictionary()


def place_beside(handle: Any, assumed: frozenset[str]) -> Cursor | None:
    """Where a scout can read the lines that a loop over `handle` is going to read, or None.

    Args:
        handle: A file object of the class `io.TextIOWrapper` or `io.BufferedReader`.
        assumed: The dotted names that the user declares pure.
    """
    kind = type(handle)
    if kind not in (TextIOWrapper, BufferedReader):
        return None
    try:
        buffer = handle.buffer if kind is TextIOWrapper else handle
        raw = buffer.raw if type(buffer) is BufferedReader else None
        stdin = handle is sys.stdin or buffer is getattr(sys.stdin, "buffer", None)
        if (STDIN if stdin else OPEN) not in assumed or type(raw) not in (FileIO, Tee):
            return None
        return _begin(handle, raw)
    except (OSError, ValueError):  # closed, or no regular file
        return None


def _begin(handle: Any, raw: Any) -> Cursor | None:
    try:
        position = raw.look(handle) if type(raw) is Tee else handle.tell()
    except OSError:  # a loop over it was left early: the next one goes on there
        return _places.get(handle)
    text = None
    if type(handle) is TextIOWrapper:
        text = (handle.encoding, handle.errors or "strict", None)
    opens: Callable[[], Iterator[Any]]
    if type(raw) is Tee:
        if position >= _PLAIN_POSITION:
            return None
        opens = partial(_Lines, raw, position, text)
    elif stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
        opens = partial(_once_more, f"/proc/self/fd/{raw.fileno()}", text, position)
    else:
        return None
    place = _places[handle] = Cursor(opens)
    return place


def _once_more(
    path: str, text: tuple[str, str, str | None] | None, position: int = 0
) -> Generator[Any, None, None]:
    """The lines of a regular file. Opening it is heard by no audit hook of the program."""
    descriptor = _core.open_regular(path)
    if descriptor is None:
        raise _core.ScoutEnd
    return _lines(descriptor, text, position)


def _lines(
    descriptor: _core.Descriptor, text: tuple[str, str, str | None] | None, position: int
) -> Generator[Any, None, None]:
    handle: Any = BufferedReader(_OwnFile(descriptor))
    if text is not None:
        encoding, errors, newline = text
        handle = TextIOWrapper(handle, encoding, errors, newline)
    if position:
        handle.seek(position)
    yield from handle


class _OwnFile(FileIO):
    """A file that is read as long as the program has not closed its descriptor, with all others."""

    def __init__(self, descriptor: _core.Descriptor) -> None:
        super().__init__(descriptor.fd, closefd=False)  # or it would warn if nobody closed it
        self._descriptor = descriptor

    def readinto(self, buffer: Any) -> int | None:
        """Read what is there into a buffer.

        Raises:
            OSError: The program has closed the descriptor.
        """
        self._descriptor.check()
        return super().readinto(buffer)


def open_for_scout(
    file: object,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> Generator[Any, None, None]:
    """What `open` is to a scout: the lines of a regular file, and nothing else.

    Raises:
        ScoutEnd: It is no regular file, or not opened for reading alone.
    """
    if mode not in ("r", "rt", "tr", "rb", "br") or buffering == 0:
        raise _core.ScoutEnd
    if type(file) is not str and home_of(type(file).__module__) != "pathlib":
        raise _core.ScoutEnd
    path = os.fspath(file)  # type: ignore[call-overload]
    if "b" in mode:
        return _once_more(path, None)
    encoding = encoding or locale.getpreferredencoding(False)
    return _once_more(path, (encoding, errors or "strict", newline))


# ---- what can be read once only ------------------------------------------------------------------


class Tee(FileIO):
    """The descriptor of stdin; what a scout has read of it first, the program gets from here."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, closefd=False)
        self.name = "<stdin>"
        self._window = bytearray()  # what scouts may look at
        self._start = 0  # its position in the stream
        self._served = 0  # how far the program has read
        self._ended = False
        self._looked_at = False
        self._lock = threading.Lock()

    # ---- the program reads ---------------------------------------------------------------------

    def readinto(self, buffer: Any) -> int | None:
        """Read what is there into a buffer."""
        view = memoryview(buffer).cast("B")
        with self._lock:
            offset = self._served - self._start
            count = min(len(self._window) - offset, len(view))
            if count:
                view[:count] = self._window[offset : offset + count]
            else:
                read = super().readinto(view)
                if not read:
                    return read
                count = read
                self._window += view[:count]
            self._served += count
            if self._served - self._start > 2 * _KEPT:
                self._forget(self._served - _KEPT)
        return count

    def read(self, size: int | None = -1) -> bytes | None:  # type: ignore[override]
        """Read at most `size` bytes, all if it is negative."""
        if size is None or size < 0:
            return self.readall()
        space = bytearray(size)
        count = self.readinto(space)
        return None if count is None else bytes(space[:count])

    def readall(self) -> bytes:
        """Read to the end."""
        with self._lock:
            ahead = bytes(self._window[self._served - self._start :])
            self._served += len(ahead)
            rest = super().readall() or b""
            self._served += len(rest)
            self._forget(self._start + len(self._window))
            self._start = self._served
            return ahead + rest

    def _forget(self, before: int) -> None:
        del self._window[: before - self._start]
        self._start = before

    # ---- scouts look ---------------------------------------------------------------------------

    def look(self, handle: Any) -> int:
        """The position of a file object that reads from here."""
        self._looked_at = True
        try:
            return int(handle.tell())
        finally:
            self._looked_at = False

    def seekable(self) -> bool:
        """Return False, except to those who look how far the program is."""
        return self._looked_at

    def tell(self) -> int:
        """Return how far the program has read, to those who look for that."""
        if not self._looked_at:
            raise UnsupportedOperation("underlying stream is not seekable")
        return self._served

    def seek(self, _position: int, _whence: int = 0) -> int:
        """Fail: what is read from a pipe is gone."""
        raise UnsupportedOperation("underlying stream is not seekable")

    def line(self, position: int) -> bytes:
        """The line that begins at a position; empty at the end.

        Raises:
            ScoutEnd: It is not there yet, and reading it would wait; or it is long gone.
        """
        while True:
            if position < self._start:
                raise _core.ScoutEnd
            end = self._window.find(b"\n", position - self._start) + 1
            if end:
                return bytes(self._window[position - self._start : end])
            if self._ended:
                return bytes(self._window[position - self._start :])
            if not self._pull():
                raise _core.ScoutEnd

    def after(self, position: int, lines: int) -> int:
        """The position that so many lines behind another begin at, all of them read by the program.

        Raises:
            ScoutEnd: They are long gone.
        """
        offset = position - self._start
        passed = self._window[offset : self._served - self._start] if offset >= 0 else b""
        parts = passed.split(b"\n", lines)
        if len(parts) <= lines:
            raise _core.ScoutEnd
        return position + len(passed) - len(parts[-1])

    def _pull(self) -> bool:
        """Read what is there without waiting; false if there is nothing."""
        if len(self._window) > _AHEAD or not self._lock.acquire(blocking=False):
            return False
        try:
            watch = select.poll()
            watch.register(self.fileno(), select.POLLIN)
            if not watch.poll(0):
                return False
            chunk = os.read(self.fileno(), _CHUNK)
            self._window += chunk
            self._ended = not chunk
            return True
        finally:
            self._lock.release()


class _Lines:
    """The lines from a position of a `Tee` on."""

    def __init__(self, tee: Tee, position: int, text: tuple[str, str, str | None] | None) -> None:
        self.tee = tee
        self.position = position
        self.text = text

    def __iter__(self) -> _Lines:
        return self

    def skip(self, lines: int) -> None:
        """Pass lines by that the program has read."""
        self.position = self.tee.after(self.position, lines)

    def __next__(self) -> Any:
        line = self.tee.line(self.position)
        if not line:
            raise StopIteration
        self.position += len(line)
        return line if self.text is None else line.decode(self.text[0], self.text[1])


def tee_stdin() -> None:
    """Put a `Tee` below `sys.stdin`, if that is a pipe or a socket."""
    old: Any = sys.stdin
    try:
        mode = os.fstat(old.fileno()).st_mode
        simple = "\n".encode(old.encoding) == b"\n" and type(old) is TextIOWrapper
    except (OSError, ValueError, AttributeError):  # there is none
        return
    if not simple or not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return
    tee = Tee(old.fileno())
    tee._looked_at = True
    buffer: Any = BufferedReader(tee)
    new = TextIOWrapper(
        buffer,
        old.encoding,
        old.errors,
        "\n",
        bool(old.line_buffering),
        old.write_through,
    )
    tee._looked_at = False
    new.mode = "r"  # type: ignore[misc]
    sys.stdin = sys.__stdin__ = new  # type: ignore[misc]
