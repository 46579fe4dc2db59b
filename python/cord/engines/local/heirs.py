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


def kill_with_all(pid: int) -> None:
    """Kill a replica that makes a call, and what the call has started.

    Args:
        pid: The replica's process.

    Raises:
        OSError: There is no such process.
    """
    below = descendants_of(pid)
    os.kill(pid, _signal.SIGKILL)
    for each in below:
        with suppress(OSError):
            os.kill(each, _signal.SIGKILL)


class Leaving:
    """Replicas that come to an end of their own, as the zygote waits for them.

    Args:
        hear: What they have said since the last time: `JOINING`, `ENDING`; and which of them.
        grace: Seconds in which an idle one says that it comes to its end.
        longest: And which that may take.
    """

    JOINING: Final = b"j"  # it waits for threads and children, as long as that takes
    ENDING: Final = b"e"  # it calls exit functions

    def __init__(
        self, hear: Callable[[], list[tuple[bytes, int]]], grace: float, longest: float
    ) -> None:
        self._hear = hear
        self._grace = grace
        self._longest = longest
        self._until: dict[int, float] = {}

    def wait(self, keepers: Iterable[int], others: Iterable[int], reap: Callable[[], None]) -> None:
        """Wait until they have ended, or can be expected not to.

        Args:
            keepers: Those of modules that keep state.
            others: Others that are to be waited for.
            reap: Reaps children that have ended.
        """
        now = time.monotonic()
        self._until = {pid: now + SHORT_GRACE for pid in others}
        self._until.update((pid, now + self._grace) for pid in keepers)
        while True:
            reap()
            now = time.monotonic()
            for said, pid in self._hear():
                if pid in self._until:
                    joins = said == self.JOINING
                    self._until[pid] = float("inf") if joins else now + self._longest
            self._until = {pid: end for pid, end in self._until.items() if _is_there(pid)}
            if all(end < now for end in self._until.values()):
                return
            time.sleep(0.001)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it has other rights
        return True
    return True
