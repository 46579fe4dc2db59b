"""The workers of one pool, and what leads to them.

The library that the pool is from makes its processes as it always does. Only the pipes between them
and the program are others: each worker takes a link from the socket by which the dispatcher asks
for replicas, and serves it. So start methods, initializers, signals and ends are the library's own.
"""

from __future__ import annotations

import _socket
import os
import pickle
import threading
from contextlib import suppress
from weakref import WeakSet

from cord import _core
from cord.engines.local import control
from cord.engines.local.zygote import control_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

# From so many bytes on, what is pickled goes by shared memory.
_LARGE: Final = 1 << 16

_teams: WeakSet[Team] = WeakSet()


def _parts(pickled: Any) -> tuple[bytes, list[Any]]:
    """What is pickled, as it travels."""
    return (b"", [pickled]) if len(pickled) >= _LARGE else (bytes(pickled), [])


def _whole(head: bytes, beside: list[Any]) -> Any:
    """The value that has travelled so."""
    return pickle.loads(beside[0] if beside else head)


class Team:
    """The program's side of a pool: it gives tasks to workers, and has back what they give.

    Attributes:
        workers: How many there are.
        most: After how many tasks another one takes the place of each; None for never.
        is_bounded: Whether the pool itself sees to it that not too many tasks wait.
    """

    def __init__(self) -> None:
        self.workers = 1
        self.is_bounded = False
        self.most: int | None = None
        self._near, self._far = control_pair()
        self._born, self._births = os.pipe()  # who serves which link
        os.set_blocking(self._born, False)
        self._known: dict[int, int] = {}  # the links, by the processes that serve them
        self._native: _core.Team | None = None
        self._lock = threading.Lock()
        self._has_ended = False
        _teams.add(self)

    def end(self) -> Workers:
        """The end of the workers."""
        return Workers(self._far, self._births, self.most)

    def _begun(self) -> _core.Team | None:
        """What feeds the workers: made when they have been forked, for it has a thread."""
        if self._native is None:
            with self._lock:
                if self._native is None and not self._has_ended:
                    native = _core.Team(self._near, self.workers, self.most)
                    self._near = -1
                    if self.is_bounded:
                        native.make_room()
                    self._native = native
        return self._native

    def issue(self, task: Any) -> None:
        """Give a task to one of the workers, when there is room for it.

        Args:
            task: The task, pickled.
        """
        native = self._begun()
        if native is not None:
            native.issue(*_parts(task))

    def make_room(self) -> None:
        """Whoever waits to give a task waits no more."""
        if self._native is not None:
            self._native.make_room()

    @property
    def tasks(self) -> int:
        """How many tasks have been given and not had back."""
        return 0 if self._native is None else self._native.tasks

    def receive(self, *, waits: bool = True) -> Any:
        """What comes of a task; None if that is the end that somebody has put there.

        Args:
            waits: Whether it is waited for; else None where there is nothing.
        """
        native = self._begun()
        came = None if native is None else native.next(waits)
        return None if came is None else _whole(*came)

    def has_come(self) -> bool:
        """Whether something has come, if only that a task is lost with its worker."""
        return self._native is not None and self._native.has_next()

    def fileno(self) -> int:
        """A descriptor that can be read when something has come."""
        native = self._begun()
        return -1 if native is None else native.fileno()

    def put_end(self) -> None:
        """Put an end behind what has come."""
        native = self._begun()
        if native is not None:
            native.put_end()

    def replace(self, pids: Iterable[int]) -> None:
        """Of the processes that were workers those are none any more that are not among these."""
        with suppress(BlockingIOError):
            while said := os.read(self._born, 8):
                numbers = (int.from_bytes(one, "little") for one in (said[:4], said[4:]))
                self._known[next(numbers)] = next(numbers)
        for pid in self._known.keys() - set(pids):
            message = control.message(control.EXITED, self._known.pop(pid), 0)
            with suppress(OSError):
                os.write(self._far, message)

    def finish(self) -> None:
        """Let workers end when all tasks are done."""
        if self._native is not None:
            self._native.finish()
        else:
            self.close()

    def close(self) -> None:
        """Nothing more goes to workers: those that wait for something end."""
        with self._lock:
            if self._has_ended:
                return
            self._has_ended = True
        if self._native is not None:
            self._native.close()
        elif self._near >= 0:
            near = _socket.socket(fileno=self._near)
            with suppress(OSError):
                near.shutdown(_socket.SHUT_RDWR)  # children may have it, too
            near.close()
        self._let_go()

    def _let_go(self) -> None:
        for fd in (self._far, self._born, self._births):
            os.close(fd)

    def abandon(self) -> None:
        """In a forked child, that may become a worker: hold nothing of the program's side."""
        self._has_ended = True
        if self._native is not None:
            self._native.abandon()
        elif self._near >= 0:
            os.close(self._near)
        os.close(self._born)

    def __del__(self) -> None:
        if not self._has_ended:
            self.close()


def _abandon_all() -> None:
    for team in list(_teams):
        if not team._has_ended:
            team.abandon()
    _teams.clear()


os.register_at_fork(after_in_child=_abandon_all)


class Workers:
    """A worker's side of a pool; it travels to the processes in which workers are."""

    def __init__(self, far: int, births: int, most: int | None) -> None:
        self._far, self._births, self.most = far, births, most
        self._endpoint: _core.Endpoint | None = None
        self._task = 0

    def __getstate__(self) -> tuple[Any, ...]:
        from multiprocessing.context import assert_spawning
        from multiprocessing.reduction import DupFd

        assert_spawning(self)
        return DupFd(self._far), DupFd(self._births), self.most

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__(state[0].detach(), state[1].detach(), state[2])  # type: ignore[misc]

    def _serve(self) -> _core.Endpoint:
        """Take a link, which nobody else has then."""
        far = _socket.socket(fileno=self._far)
        message, link = control.receive_with_descriptor(far)
        far.close()
        if not message:
            raise EOFError
        about = (os.getpid(), control.numbers(message)[1])
        os.write(self._births, b"".join(one.to_bytes(4, "little") for one in about))
        os.close(self._births)
        endpoint = _core.Endpoint(link)
        endpoint.ready(ends_with_link=False)
        return endpoint

    def receive(self) -> Any:
        """Wait for the next task.

        Raises:
            EOFError: There will be none.
        """
        if self._endpoint is None:
            self._endpoint = self._serve()
        request = self._endpoint.next()
        if request is None:
            raise EOFError
        self._task = request[0]
        return _whole(*request[1][1:])

    def reply(self, made: Any, dumps: Callable[[Any], Any]) -> None:
        """Say what has come of the task; nothing where there is none."""
        if self._endpoint is None:
            return
        value = (_core.PICKLE, *_parts(dumps(made)))
        self._endpoint.reply(self._task, _core.VALUE, value, b"")
        if self.most is not None:
            self._endpoint.flush()  # this may be the last one
