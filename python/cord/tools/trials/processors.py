"""What runs cost in processor time, and what else the machine does meanwhile."""

from __future__ import annotations

import os
import resource
import time
from contextlib import suppress

from cord._core import adopt_orphans

_LINGERS = 2.0  # seconds that processes which a run leaves behind are waited for
_STEP = 0.005


class Meter:
    """Counts from its making on, or from the last reading.

    What processes have used is known of those that have ended and were waited for, their own
    children included. So this process takes in those that lose their parents: replicas, say, whose
    program was ended by a signal. Processes on other machines are not counted.
    """

    def __init__(self) -> None:
        adopt_orphans()
        self._own = _children()
        self._began = time.monotonic()
        self._used = _used_by_children()
        self._busy = _busy()

    def read(self) -> tuple[float, float | None]:
        """What was used since the last time.

        Returns:
            Processor seconds of all processes that this one has started, and the cores that all
            others of the machine have kept busy on average; None if the kernel does not tell.
        """
        _wait_for_the_rest(self._own)
        began, used, busy = self._began, self._used, self._busy
        self._began, self._used, self._busy = time.monotonic(), _used_by_children(), _busy()
        spent = self._used - used
        if busy is None or self._busy is None:
            return spent, None
        others = self._busy - busy - spent
        return spent, max(0.0, others / max(self._began - began, 1e-9))


def _used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _busy() -> float | None:
    """Processor seconds that the machine's cores have not been idle, the host's own included."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def _children() -> set[int]:
    """This process's children, those that have ended and were not waited for among them."""
    found: set[int] = set()
    with suppress(OSError):  # a kernel that does not tell
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
                found.update(map(int, file.read().split()))
    return found


def _wait_for_the_rest(own: set[int]) -> None:
    """Wait for children, besides those that this process has of its own."""
    until = time.monotonic() + _LINGERS
    while (left := _children() - own) and time.monotonic() < until:
        for child in left:
            with suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
        time.sleep(_STEP)
