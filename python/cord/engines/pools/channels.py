"""What stands in the place of a pool's queues."""

from __future__ import annotations

import os

from cord.engines.pools.team import Team

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Tasks:
    """Where a pool of `multiprocessing` puts tasks, and its workers get them."""

    def __init__(self, dumps: Callable[[Any], Any]) -> None:
        self.team = Team()
        self.results = Results(self.team, dumps)
        self._end = self.results.end
        self._dumps = dumps
        self._rlock = Gate(self.team)
        self._reader = self.results._reader

    def __getstate__(self) -> Any:
        return self._end

    def __setstate__(self, state: Any) -> None:
        self._end = state

    def are_to_be(self, workers: int, most: int | None, pids: list[int]) -> None:
        """So many workers are made; of those before these are left.

        Args:
            workers: How many there are to be.
            most: After how many tasks another one takes the place of each; None for never.
            pids: The processes of those that are left.
        """
        team = self.team
        team.workers = workers
        team.most = self._end.most = most
        team.replace(pids)

    def put(self, task: Any) -> None:
        """Give a task to one of the workers; None: there will be no more."""
        if task is None:
            self.team.finish()
        else:
            self.team.issue(self._dumps(task))

    def get(self) -> Any:
        """In a worker: the next task."""
        return self._end.receive()


class Gate:
    """The lock that a pool takes from its workers when it is ended."""

    def __init__(self, team: Team) -> None:
        self._team = team

    def acquire(self) -> None:
        """Who waits to give a task is to end, too."""
        self._team.make_room()


class Results:
    """Where workers put what comes of tasks, and a pool gets that."""

    def __init__(self, team: Team, dumps: Callable[[Any], Any]) -> None:
        self.team: Team | None = team
        self.end = team.end()
        self._process = os.getpid()
        self._dumps = dumps
        self._reader: Any = Reader(team)

    def __getstate__(self) -> Any:
        return self.end, self._dumps

    def __setstate__(self, state: Any) -> None:
        self.end, self._dumps = state
        self.team, self._process = None, 0

    def put(self, made: Any) -> None:
        """In a worker: say what has come of its task; in the program: that is all."""
        if os.getpid() == self._process:
            assert self.team is not None
            self.team.put_end()
        else:
            self.end.reply(made, self._dumps)

    def get(self) -> Any:
        """What comes of the next task that is done; None: that is all."""
        assert self.team is not None
        return self.team.receive()

    def close(self) -> None:
        """The pool has ended."""


class Reader:
    """The end from which a pool reads what comes of tasks."""

    def __init__(self, team: Team) -> None:
        self._team = team

    def fileno(self) -> int:
        """What can be waited for."""
        return self._team.fileno()

    def recv(self) -> Any:
        """What comes of the next task that is done; None if nothing has come of it."""
        return self._team.receive(waits=False)

    def has_come(self) -> bool:
        """Whether something has come, if only that a task is lost with its worker."""
        return self._team.has_come()

    def poll(self) -> bool:
        """Nothing is read that nobody waits for."""
        return False

    def close(self) -> None:
        """Nothing is to be closed."""


class OfWorker:
    """Such a queue where it has travelled to a worker."""

    def __init__(self, tasks: Any) -> None:
        self._tasks = tasks

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """The next call, None if there will be none."""
        try:
            return self._tasks.get()
        except EOFError:
            return None


def calls_of(plain: Any, dumps: Callable[[Any], Any]) -> Any:
    """The class whose instances stand in the place of an executor's queue of calls.

    Args:
        plain: The class of that queue, which tells of calls that cannot be pickled.
        dumps: Pickles.
    """

    class Calls(plain):  # type: ignore[misc]
        _tasks: Tasks | None = None

        def begin(self, workers: int, most: int | None) -> Results:
            """A worker is made; where it puts what comes of calls."""
            if self._tasks is None:
                self._tasks = Tasks(dumps)
                self._tasks.are_to_be(workers, most, [])
                self._tasks.team.is_bounded = True  # by `full`
            return self._tasks.results

        def __reduce__(self) -> Any:
            return OfWorker, (self._tasks,)

        def full(self) -> bool:
            """Whether as many calls are with workers, or on their way, as in plain Python."""
            team = self._tasks.team  # type: ignore[union-attr]
            return team.tasks >= self._maxsize + team.workers  # type: ignore[no-any-return]

        def put(self, call: Any, block: bool = True, timeout: float | None = None) -> None:
            """Give a call to one of the workers; None: there will be no more."""
            try:
                self._tasks.put(call)  # type: ignore[union-attr]
            except Exception as error:
                self._on_queue_feeder_error(error, call)

        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            """In a worker: the next call, None if there will be none."""
            return OfWorker(self._tasks).get()

        def close(self) -> None:
            """The pool has ended."""
            if self._tasks is not None:
                self._tasks.team.close()
            super().close()

    Calls.__name__, Calls.__qualname__ = plain.__name__, plain.__qualname__
    Calls.__module__ = plain.__module__
    return Calls
