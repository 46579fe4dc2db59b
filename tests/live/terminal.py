"""A terminal with a program in it: what is written there, and what is seen."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyte

LIMIT = 30.0  # seconds after which nothing more is waited for


class Terminal:
    """A program in a terminal of its own, whose foreground it has.

    Args:
        folder: Where it is run.
        words: The program and its arguments.
        rows: How many rows the terminal has.
        kind: What kind of terminal it is.
    """

    def __init__(
        self, folder: Path, *words: str, rows: int = 12, columns: int = 90, kind: str = "xterm"
    ) -> None:
        kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
        environment = {**kept, "TERM": kind, "PYTHONDONTWRITEBYTECODE": "1"}
        self._rows, self._columns = rows, columns
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self.written = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            _set_size(0, rows, columns)
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._fd, 65536)
            except OSError:  # all have closed it
                return
            with self._lock:
                self.written += data
                self._stream.feed(data)

    @property
    def lines(self) -> list[str]:
        """What is seen, from top to bottom."""
        with self._lock:
            return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """What is seen, without the empty lines at its end."""
        return "\n".join(self.lines).rstrip("\n")

    @property
    def scrolls_all(self) -> bool:
        """Whether all of the terminal scrolls."""
        with self._lock:
            margins = self._screen.margins
            return margins is None or (margins.top, margins.bottom) == (0, self._screen.lines - 1)

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor, from 0."""
        with self._lock:
            return self._screen.cursor.y, self._screen.cursor.x

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + LIMIT
        while not holds():
            assert time.monotonic() < end, self.lines
            time.sleep(0.02)

    def until_drawn(self) -> None:
        """Wait until Cord's lines are seen at the foot."""
        self.until(lambda: "calls " in self.lines[-1])

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._fd, text.encode())

    def resize(self, rows: int) -> None:
        """Give the terminal so many rows; what is too much goes at the top."""
        with self._lock:
            self._screen.resize(rows, self._columns)
            _set_size(self._fd, rows, self._columns)

    def end(self) -> int:
        """Wait until the program has ended; gives how, as `os.waitpid` does."""
        watch = threading.Timer(LIMIT, os.kill, (self.pid, signal.SIGKILL))
        watch.start()
        _, status = os.waitpid(self.pid, 0)
        watch.cancel()
        self._reader.join(5)
        return status


def _set_size(fd: int, rows: int, columns: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
