"""Event loops in a copy: the time that has passed in its waits counts for their timers.

All other clocks show the true time.
"""

from __future__ import annotations

import sys
from selectors import EpollSelector
from time import monotonic

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_select = EpollSelector.select
_passed = 0.0
_others = 0


def watch(guesses: bool, others: int) -> None:
    """In a copy: let event loops pass over waits that nobody could end.

    Args:
        guesses: Whether the copy may guess: then they wait as all else does.
        others: How many other threads the program had.
    """
    global _others  # noqa: PLW0603
    _others = others
    base = sys.modules.get("asyncio.base_events")
    if base is not None:
        base.BaseEventLoop.time = _time
        if not guesses:
            EpollSelector.select = _pass_over  # type: ignore[assignment]


def _time(_: Any) -> float:
    return monotonic() + _passed + _core.passed()


def _pass_over(selector: Any, timeout: float | None = None) -> Any:
    global _passed  # noqa: PLW0603
    found = _select(selector, 0)
    if found or (timeout is not None and timeout <= 0):
        return found
    # of what it hears by other descriptors than that which wakes it, nothing comes here
    if timeout is None or len(selector.get_map()) > 1 or not _waits(selector):
        return _select(selector, timeout)
    _passed += timeout
    return []


def _waits(selector: Any) -> bool:
    """Whether it is this thread's loop that waits, by that clock, and for no other thread."""
    loop: Any = sys.modules["asyncio.events"]._get_running_loop()
    if getattr(loop, "_selector", None) is not selector or type(loop).time is not _time:
        return False
    return _others in (0, _idle(loop))


def _idle(loop: Any) -> int:
    """How many threads the loop's executor has that have nothing to do; none if one has."""
    executor = loop._default_executor
    threads = getattr(executor, "_threads", ())
    if not threads or executor._work_queue.qsize():
        return 0
    return len(threads) if executor._idle_semaphore._value == len(threads) else 0
