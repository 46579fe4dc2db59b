"""What else an event loop of the program's has to do while it awaits a call that was sent.

A call that is ahead is over sooner than in plain Python. Where the loop has nothing else to do,
nobody can tell. Timers could: those that go off later than the call would have ended in plain
Python must do so here, too, and the others before. So each loop keeps the time that calls have
spared it since a timer was set.
"""

from __future__ import annotations

import sys
from weakref import WeakKeyDictionary

from cord.runtime.objects.reach import is_of_project

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from asyncio import Future, TimerHandle
    from collections.abc import Generator
    from typing import Any

_NEVER = float("inf")
# Among so many timers nobody looks for the next one.
_MANY = 1000
# What transports and protocols call those to whom they pass on what they hear; and how many do.
_HEARD_BY = ("_app_protocol", "_protocol", "proc")
_LAYERS = 6


class _Spared:
    """What calls have spared a loop, and had by the time when each of its timers was first seen."""

    __slots__ = ("before", "seconds")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.before: dict[tuple[int, float], float] = {}

    def ends(self, timers: list[TimerHandle]) -> list[float]:
        """When the timers would go off if calls had spared nothing since they were set."""
        keys = [(id(timer), timer.when()) for timer in timers]
        self.before = {key: self.before.get(key, self.seconds) for key in keys}
        return [when - (self.seconds - self.before[key]) for key in keys for when in key[1:]]


_spared: WeakKeyDictionary[Any, _Spared] = WeakKeyDictionary()


def _running() -> Any:
    """The loop that runs in this thread, if any does."""
    events = sys.modules.get("asyncio.events")
    return None if events is None else events._get_running_loop()


def room(is_straight: bool) -> float | None:
    """How long the running loop has nothing else to do.

    Args:
        is_straight: The call does not let the loop do anything else.

    Returns:
        Seconds; none if that cannot be told, or if there is something to do now.
    """
    loop = _running()
    if loop is None or loop.get_debug():  # which tells of all that keeps a loop for long
        return None
    if is_straight:
        return _NEVER
    base = sys.modules["asyncio.unix_events"]._UnixSelectorEventLoop
    if type(loop) is not base or not all(handle._cancelled for handle in loop._ready):
        return None
    if loop.get_task_factory() is not None or len(loop._scheduled) > _MANY:
        return None  # who has begun an eager task goes on when that waits
    # others may hear from elsewhere; what only one task waits for, it sees when it looks
    heard = loop._selector.get_map()
    if len(heard) > 1:
        if len(sys.modules["asyncio"].all_tasks(loop)) > 1:
            return None
        if any(_tells(one) for key in heard.values() for one in key.data):
            return None
    timers = [timer for timer in loop._scheduled if not timer._cancelled]
    if not timers:
        return _NEVER
    spared = _spared.get(loop)
    if spared is None:
        spared = _spared[loop] = _Spared()
    left: float = min(spared.ends(timers)) - loop.time()
    return left


def _tells(handle: Any) -> bool:
    """Whether code of the program's may run when the loop hears of something.

    What asyncio and libraries hear is kept until a task asks for it, but for new connections.
    """
    if handle is None or handle._cancelled:
        return False
    heard_by = getattr(handle._callback, "__self__", None)
    if heard_by is None or handle._callback.__name__ == "_accept_connection":
        return True
    for _ in range(_LAYERS):
        module = sys.modules.get(type(heard_by).__module__)
        if heard_by is None or is_of_project(module):
            return heard_by is not None
        names = vars(heard_by) if hasattr(heard_by, "__dict__") else {}
        heard_by = next((names[name] for name in _HEARD_BY if names.get(name) is not None), None)
    return True


def spares(seconds: float) -> float | None:
    """A call is over so much sooner than in plain Python.

    Returns:
        None if that changes nothing; else something would have come first there: so long the loop
        is to wait, which makes up for what was spared before, and then the call is made here.
    """
    loop = _running()
    timers = [timer for timer in loop._scheduled if not timer._cancelled]
    spared = _spared[loop]
    if not timers or min(spared.ends(timers)) > loop.time() + seconds:
        spared.seconds += seconds
        return None
    rest = max(spared.seconds - before for before in spared.before.values())
    spared.seconds -= rest
    return rest


def waiter(reader: int) -> Generator[Future[None], None, None]:
    """Has the running loop wait until a descriptor can be read."""
    loop = _running()
    future = loop.create_future()
    loop.add_reader(reader, _ring, future)
    try:
        yield from future
    finally:
        if not loop.is_closed():
            loop.remove_reader(reader)


def rest(seconds: float) -> Generator[Future[None], None, None]:
    """Has the running loop wait for some time."""
    loop = _running()
    future = loop.create_future()
    timer = loop.call_later(seconds, _ring, future)
    try:
        yield from future
    finally:
        timer.cancel()


def _ring(future: Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def let_go(waits: Any) -> None:
    """Nobody waits for a future any more that a coroutine has given to its loop, and waited for."""
    if getattr(waits, "_asyncio_future_blocking", False):
        waits._asyncio_future_blocking = False
        waits.cancel()
