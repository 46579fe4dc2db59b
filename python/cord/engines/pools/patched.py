"""Has the pools of libraries go by the dispatcher, from their import on."""

from __future__ import annotations

import os
from contextlib import suppress

from cord.runtime.travel.executed import when_imported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

# So many bytes are read at once.
_MANY: Final = 1 << 16


def begin() -> None:
    """Do that with all that the program imports."""
    when_imported("multiprocessing.pool", _pool)
    when_imported("concurrent.futures.process", _executor)


def _pool(module: Any) -> None:
    from multiprocessing.reduction import ForkingPickler

    from cord.engines.pools.channels import Tasks

    pool: Any = module.Pool
    set_up, repopulate = pool._setup_queues, pool._repopulate_pool_static
    sentinels, terminate = pool._get_sentinels, vars(pool)["_terminate_pool"].__func__

    def _setup_queues(self: Any) -> None:
        tasks = self._inqueue = Tasks(ForkingPickler.dumps)
        self._outqueue = tasks.results
        self._quick_put, self._quick_get = tasks.put, tasks.results.get

    def _get_sentinels(self: Any) -> list[Any]:
        if type(self._inqueue) is not Tasks:
            return sentinels(self)  # type: ignore[no-any-return]
        return [self._change_notifier._reader]

    def _repopulate_pool_static(
        ctx: Any, process: Any, processes: int, workers: list[Any], inqueue: Any, *more: Any
    ) -> None:
        if type(inqueue) is Tasks:
            inqueue.are_to_be(processes, more[-2], [one.pid for one in workers])
        repopulate(ctx, process, processes, workers, inqueue, *more)

    def _terminate_pool(cls: Any, taskqueue: Any, inqueue: Any, *more: Any) -> None:
        terminate(cls, taskqueue, inqueue, *more)
        if type(inqueue) is Tasks:
            inqueue.team.close()

    _put(pool, set_up, _setup_queues)
    _put(pool, sentinels, _get_sentinels)
    _put(pool, repopulate, staticmethod(_repopulate_pool_static))
    _put(pool, terminate, classmethod(_terminate_pool))


def _executor(module: Any) -> None:
    from multiprocessing.reduction import ForkingPickler

    from cord.engines.pools.channels import Reader, calls_of

    plain, executor, bell = module._SafeQueue, module.ProcessPoolExecutor, module._ThreadWakeup
    module._SafeQueue = calls = calls_of(plain, ForkingPickler.dumps)
    spawn, clear = executor._spawn_process, bell.clear
    manager = module._ExecutorManagerThread
    wait = manager.wait_result_broken_or_wakeup

    def _spawn_process(self: Any) -> None:
        queue = self._call_queue
        if type(queue) is calls:
            self._result_queue = queue.begin(self._max_workers, self._max_tasks_per_child)
        spawn(self)

    def _clear(self: Any) -> None:
        if self._closed:
            clear(self)
            return
        fd = self._reader.fileno()  # each submission has written a few bytes: they are read at once
        os.set_blocking(fd, False)
        with suppress(BlockingIOError):
            while len(os.read(fd, _MANY)) == _MANY:
                pass

    def wait_result_broken_or_wakeup(self: Any) -> Any:
        reader = self.result_queue._reader
        if type(reader) is not Reader or not reader.has_come():
            return wait(self)
        self.thread_wakeup.clear()
        try:
            return reader.recv(), False, None  # nobody need be asked who else has something to say
        except BaseException as error:
            return None, True, module.format_exception(type(error), error, error.__traceback__)

    _put(executor, spawn, _spawn_process)
    _put(bell, clear, _clear)
    _put(manager, wait, wait_result_broken_or_wakeup)


def _put(cls: Any, plain: Any, other: Any) -> None:
    setattr(cls, plain.__name__, other)
