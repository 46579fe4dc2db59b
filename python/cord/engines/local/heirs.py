"""Processes that remote functions have started: as in plain Python they live on after the program.

Not those of a call that is still under way when the program ends: it was made in vain, or the
program was killed in its midst, and nobody would come back to them.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterable
    from typing import Final
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

# Seconds in which an idle replica that keeps nothing but such processes ends by itself.
SHORT_GRACE: Final = 0.5
# How many bytes a notice has.
NOTICE: Final = 5
# The name that the zygote and templates go by.
_CORD: Final = "cord\n"


def children_of(pid: int) -> list[int]:
    """The children of a process, those included that nobody has waited for.

    Args:
        pid: The process.
    """
    found: list[int] = []
    with suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def descendants_of(pid: int) -> list[int]:
    """The children of a process, theirs, and so on.

    Args:
        pid: The process.
    """
    found = children_of(pid)
    for each in found:  # grows meanwhile
        found += children_of(each)
    return found


def are_there_any(zygote: int) -> bool:
    """Whether replicas have children.

    Args:
        zygote: The process that makes the replicas.
    """
    for pid in children_of(zygote):
        below = children_of(pid)
        if below and _is_template(pid):
            below = [each for replica in below for each in children_of(replica)]
        if below:
            return True
    return False


def _is_template(pid: int) -> bool:
    with suppress(OSError), open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
        return file.read() == _CORD
    return False


class Leaving:
    """Replicas that come to an end of their own, as the zygote waits for them.

    Attributes:
        idle: Those that have said so: no call runs there.

    Args:
        notices: What they say can be read there: `JOINING`, `ENDING`; and which of them.
        reap: Reaps children that have ended; whether somebody waits for this end.
    """

    JOINING: Final = b"j"  # it waits for threads and children, as long as that takes
    ENDING: Final = b"e"  # it calls exit functions

    def __init__(self, notices: int, reap: Callable[[], bool]) -> None:
        self.idle: set[int] = set()
        self._notices = notices
        self._reap = reap

    def wait(self, seconds: dict[int, float], longest: float) -> None:
        """Wait until they have ended, or can be expected not to.

        Args:
            seconds: By replica, in what time it says that it comes to its end.
            longest: And how long that may take.
        """
        now = time.monotonic()
        until = {pid: now + grace for pid, grace in seconds.items()}
        while self._reap():
            now = time.monotonic()
            for said, pid in self._hear():
                if pid in until:
                    until[pid] = float("inf") if said == self.JOINING else now + longest
            until = {pid: end for pid, end in until.items() if _is_there(pid)}
            if all(end < now for end in until.values()):
                return
            time.sleep(0.001)

    def spare(self, pids: Iterable[int]) -> None:
        """Wait a moment for replicas to end by themselves, whose processes are to live on.

        Args:
            pids: The replicas.
        """
        until, left = time.monotonic() + SHORT_GRACE, set(pids)
        while left and time.monotonic() < until:
            self._reap()
            self._hear()
            left = {pid for pid in left - self.idle if _is_there(pid)}
            time.sleep(0.001)

    def _hear(self) -> list[tuple[bytes, int]]:
        try:
            told = os.read(self._notices, NOTICE * 512)
        except BlockingIOError:
            return []
        pieces = [told[at : at + NOTICE] for at in range(0, len(told), NOTICE)]
        heard = [(piece[:1], int.from_bytes(piece[1:], "little")) for piece in pieces]
        self.idle.update(pid for _, pid in heard)
        return heard

    def kill(self, pid: int) -> None:
        """Kill a replica, and what its call has started if it makes one.

        Args:
            pid: The replica's process.
        """
        below = [] if pid in self.idle else descendants_of(pid)
        for each in (pid, *below):
            with suppress(OSError):  # it has ended
                os.kill(each, _signal.SIGKILL)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it has other rights
        return True
    return True
