"""Replicas that a signal has stopped: whoever waits for one would wait for ever."""

from __future__ import annotations

import time
from contextlib import suppress

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

# Seconds between two looks at all of them.
EVERY: Final = 1.0
_STOPPED: Final = b"T"  # a debugger's is another letter


class Stopped:
    """Counts looks, not time: while the whole machine stood still, nothing was stopped."""

    __slots__ = ("_next", "_seen")

    def __init__(self) -> None:
        self._next = 0.0
        self._seen: dict[int, int] = {}  # by process: at how many looks it was

    def look(self, processes: Callable[[], Iterable[tuple[int, float]]]) -> list[int]:
        """Look at all, if it is time.

        Args:
            processes: Gives each with the seconds that it may be stopped; 0 for any time.

        Returns:
            Those that have been stopped for longer.
        """
        now = time.monotonic()
        if now < self._next:
            return []
        self._next = now + EVERY
        before, self._seen, silent = self._seen, {}, []
        for pid, seconds in processes():
            if seconds and _is_stopped(pid):
                seen = self._seen[pid] = before.get(pid, 0) + 1
                if seen * EVERY > seconds:
                    silent.append(pid)
        return silent


def _is_stopped(pid: int) -> bool:
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2].startswith(_STOPPED)
    return False  # it has ended, or nothing tells
