"""Holds a pod for an agent: there until it has come and gone, or as long as it may take to come.

It is the first process of its pod, whose end is the pod's. So nothing of a run stays in a cluster,
whatever becomes of who has started it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

_PAUSE = 1.0


def _agents() -> bool:
    """Whether an agent runs in this pod."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        if b"--stdio" in words and b"agent" in words:
            return True
    return False


def _end(_number: int, _frame: object) -> None:
    os._exit(0)


def _main(seconds: float) -> None:
    signal.signal(signal.SIGTERM, _end)  # the first process of a pod is ended by no other way
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those of agents that have ended become its own
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(_PAUSE)
        if _agents():
            until = time.monotonic() + 2 * _PAUSE


if __name__ == "__main__":
    _main(float(sys.argv[1]))
