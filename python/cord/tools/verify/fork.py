"""Something done in a fork of this process, which stays as it is."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cord.ready import ready

_CHUNK = 1 << 16


def in_fork(work: Callable[[], Any], seconds: float) -> Any:
    """What a function gives in a fork of this process.

    Args:
        work: The function; what it gives is pickled.
        seconds: How long it may take.

    Returns:
        What it gives; None if the process ended by itself, or had to be ended.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(work, writing)
    os.close(writing)
    try:
        data = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)  # what it had to say it has said
        os.waitpid(child, 0)
    try:
        return pickle.loads(data)
    except Exception:
        return None


def _serve(work: Callable[[], Any], writing: int) -> None:
    try:
        data = pickle.dumps(work())
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)


def _read(reading: int, until: float) -> bytes:
    """All that comes before the other side closes, or the time is over."""
    parts: list[bytes] = []
    while ready([reading], until - time.monotonic()):
        part = os.read(reading, _CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
    return b""


class Printed:
    """What this process writes to stdout and stderr from here on."""

    def __init__(self) -> None:
        self._file = os.memfd_create("printed")
        for stream in (1, 2):
            os.dup2(self._file, stream)

    def take(self) -> bytes:
        """What was written since the last time."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        size = os.lseek(self._file, 0, os.SEEK_END)
        data = os.pread(self._file, size, 0)
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        return data
