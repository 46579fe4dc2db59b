"""Threads that remote functions start: those that the program's end would wait for.

A thread that is no daemon is told of when it begins and when it has ended. Not told of are those
that a module starts when it is imported, for the program has its own of these; nor those of
executors, which wait for work until the end.
"""

from __future__ import annotations

import sys

from cord.runtime.objects.callers import is_in_import
from cord.runtime.travel.executed import when_imported

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any, Final

    from cord.runtime.io.output import Capture

_EXECUTOR: Final = "concurrent.futures.thread"

# Those that run, by id.
_running: dict[int, Any] = {}


def follow_threads(
    capture: Capture, idle: CodeType, begun: Callable[[], None], ended: Callable[[bool], None]
) -> None:
    """Tell of threads that functions start, from here on.

    Args:
        capture: Recorder of what is written.
        idle: The code that runs in the main thread while no call does.
        begun: Is called before a thread begins.
        ended: Is called in it when it has ended; told whether no call runs.
    """

    def follow(threading: Any) -> None:
        cls = threading.Thread
        starts, runs = cls.start, cls._bootstrap_inner

        def start(thread: Any) -> None:
            if not _counts(thread) or capture.is_forked:
                starts(thread)
                return
            _running[id(thread)] = thread
            begun()
            try:
                starts(thread)
            except BaseException:
                del _running[id(thread)]
                ended(False)
                raise

        def _bootstrap_inner(thread: Any) -> None:
            try:
                runs(thread)
            finally:
                if _running.pop(id(thread), None) is not None and not capture.is_forked:
                    frame = sys._current_frames().get(threading.main_thread().ident)
                    ended(frame is not None and frame.f_code is idle)

        cls.start, cls._bootstrap_inner = start, _bootstrap_inner

    when_imported("threading", follow)


def _counts(thread: Any) -> bool:
    module = getattr(getattr(thread, "_target", None), "__module__", None)
    is_own = isinstance(module, str) and module.startswith("cord.")
    is_waited_for = not thread.daemon and id(thread) not in _running
    return is_waited_for and not is_own and module != _EXECUTOR and not is_in_import()


def are_there_any() -> bool:
    """Whether threads run, or executors may, that the end waits for."""
    return bool(_running) or _EXECUTOR in sys.modules


def join() -> None:
    """Wait for them, as the interpreter does at its end."""
    if "threading" not in sys.modules:
        return
    import threading

    for ends in reversed(threading._threading_atexits):  # type: ignore[attr-defined]
        ends()  # executors
    for thread in list(_running.values()):
        thread.join()
