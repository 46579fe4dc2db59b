"""Threads that a copy starts: it has one, and runs there at once what they are to do.

The program may see the steps in another order: that is a guess. Where such a thread waits for what
comes later, or does not end soon, the copy ends.
"""

from __future__ import annotations

import threading
from contextvars import Context

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_start = threading.Thread.start


def watch() -> None:
    """In a copy: run threads in place."""
    threading.Thread.start = _run_at_once  # type: ignore[assignment, method-assign]


def _run_at_once(thread: Any) -> None:
    me, active = threading.get_ident(), vars(threading)["_active"]
    if not _is_new(thread) or not isinstance(active[me], type(threading.main_thread())):
        _start(thread)  # raises what it does in the program, or ends the copy
        return
    before = active[me]
    # no number that a thread has
    vars(thread).update(_ident=-id(thread), join=_is_over, is_alive=_is_not_alive)
    vars(thread)["_started"].set()
    active[me] = thread
    try:
        _core.run_thread(lambda: Context().run(_run, thread))
    finally:
        active[me] = before


def _is_new(thread: Any) -> bool:
    own = vars(thread)
    return bool(own.get("_initialized")) and not own["_started"].is_set()


def _run(thread: Any) -> None:
    try:
        thread.run()
    except SystemExit:
        pass
    except BaseException as error:
        told = type(error), error, error.__traceback__, thread
        threading.excepthook(threading.ExceptHookArgs(told))


def _is_over(timeout: float | None = None) -> None:
    """In place of a thread's `join`."""


def _is_not_alive() -> bool:
    return False
