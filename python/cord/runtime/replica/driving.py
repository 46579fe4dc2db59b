"""Calls of coroutine functions in a replica: each runs to its end in an event loop of its own.

The loop lives as long as the replica, for what the module keeps may belong to it. Where a process
serves many calls at once, in threads, they run in one loop, as they would in the program.
"""

from __future__ import annotations

import _thread
from contextvars import copy_context
from os import getpid

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task
    from collections.abc import Coroutine
    from contextvars import Context
    from typing import Any

    # Whether it returned, and what; or what it raised. Or none of these, and what it left.
    Came = tuple[bool | None, Any]

# What the program's first task is called: most calls are awaited there.
_NAME = "Task-1"
_MISSING = object()

# The loop of calls in the main thread, and the one of those in others.
_loops: dict[bool, AbstractEventLoop] = {}
_lock = _thread.allocate_lock()


def drive(coroutine: Coroutine[Any, Any, Any]) -> Came:
    """Run a coroutine to its end.

    Returns:
        True and its value, False and its exception, or None and what it has left running.
    """
    context = copy_context()
    before = dict(context.items())
    is_main = _thread.get_native_id() == getpid()
    came = _run_here(coroutine, context) if is_main else _run_shared(coroutine, context)
    for variable, value in context.items():  # it may set those of who awaits it
        if before.get(variable, _MISSING) is not value:
            variable.set(value)
    return came


def _run_here(coroutine: Coroutine[Any, Any, Any], context: Context) -> Came:
    import asyncio

    loop: Any = _loops.get(True)
    if loop is None or loop.is_closed():
        loop = _loops[True] = asyncio.SelectorEventLoop()
    task: Task[Any] = loop.create_task(coroutine, context=context, name=_NAME)
    task.add_done_callback(lambda _: loop.stop())
    try:
        while not task.done():
            loop.run_forever()
        if loop._ready:  # asynchronous generators that are not read to their end are closed
            _go_on(loop, 2)
    except BaseException as error:
        if not task.done():
            del _loops[True]
            return False, error
        _go_on(loop, 1)  # it was to stop
    executor = loop._default_executor
    if executor is not None:
        loop._default_executor = None
        executor.shutdown(wait=True)
    if left := asyncio.all_tasks(loop):
        for one in left:
            one.cancel()
        _go_on(loop, 2)
        return None, "leaves tasks running in the event loop"
    return _outcome(task)


def _go_on(loop: AbstractEventLoop, times: int) -> None:
    """Let a loop do what it has to do at once, and what comes of that."""
    for _ in range(times):
        loop.call_soon(loop.stop)
        loop.run_forever()


def _run_shared(coroutine: Coroutine[Any, Any, Any], context: Context) -> Came:
    loop = _shared_loop()
    ended = _thread.allocate_lock()
    ended.acquire()
    tasks: list[Task[Any]] = []

    def begin() -> None:
        task = loop.create_task(coroutine, context=context, name=_NAME)
        tasks.append(task)
        task.add_done_callback(lambda _: ended.release())

    loop.call_soon_threadsafe(begin)
    ended.acquire()
    return _outcome(tasks[0])


def _shared_loop() -> AbstractEventLoop:
    import asyncio

    with _lock:
        if False not in _loops:
            _loops[False] = asyncio.SelectorEventLoop()
            _thread.start_new_thread(_loops[False].run_forever, ())
        return _loops[False]


def _outcome(task: Task[Any]) -> Came:
    try:
        return True, task.result()
    except BaseException as error:
        return False, error
