"""How much memory replicas have, and which of them have more than the plan allows."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from cord.engines.local.heirs import descendants_of

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

# Seconds between two looks at all of them.
EVERY: Final = 0.1
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Beyond:
    """A process that has more memory than it may, with those that it has forked.

    Attributes:
        pid: The process.
        peak: How many bytes there are.
        limit: How many it may have.
        family: Those that it has forked, and they in turn.
    """

    __slots__ = ("family", "limit", "peak", "pid")

    def __init__(self, pid: int, peak: int, limit: int, family: list[int]) -> None:
        self.pid = pid
        self.peak = peak
        self.limit = limit
        self.family = family


class Memory:
    """Looks at processes from time to time."""

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next = 0.0

    def look(self, processes: Iterable[tuple[int, int]]) -> list[Beyond]:
        """Look at all, if it is time.

        Args:
            processes: Each with the bytes that it may have.
        """
        now = time.monotonic()
        if now < self._next:
            return []
        found = [_beyond(pid, limit) for pid, limit in processes]
        # looking takes at most a tenth of one core's time, however many there are
        self._next = now + max(EVERY, 10 * (time.monotonic() - now))
        return [one for one in found if one is not None]


def _beyond(pid: int, limit: int) -> Beyond | None:
    """What is known of a process and those that it has forked, if that is too much."""
    family = descendants_of(pid)
    own = _resident(pid)
    if own + sum(map(_resident, family)) <= limit:
        return None
    if family:  # what they share counts once
        own = max(own, sum(map(_proportional, [pid, *family])))
    return Beyond(pid, own, limit, family) if own > limit else None


def _resident(pid: int) -> int:
    """Bytes of memory that a process has, as `ps` tells."""
    with suppress(OSError), open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE
    return 0  # it has ended


def _proportional(pid: int) -> int:
    """The same, but of what several processes share each has its part."""
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return 0
