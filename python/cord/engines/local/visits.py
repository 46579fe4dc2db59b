"""A replica that stays: it keeps its module, with its state, for programs that come and go.

Each program visits it by a link of its own, on which a thread waits. The main thread makes all
calls, one after the other: as they come, and those of one program in its order. What belongs to a
program (its world, its arguments, what its main script defines, what its calls write) is in place
while a call of its runs, and goes with it.

What leads here are messages of a socket, each with two descriptors: this end of a program's link,
and a file that says what the program is like. The first message in the other direction says whether
the module could be loaded.
"""

from __future__ import annotations

import _socket
import json
import os
import sys
from _pickle import loads
from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread
from contextlib import suppress

from cord import _core
from cord._core import LOAD
from cord.engines.local.answering import Server
from cord.engines.local.control import FD_SIZE
from cord.engines.local.forked import Fork
from cord.engines.local.loading import RemoteModule
from cord.engines.local.replica import (
    INTERRUPT,
    ClientStreams,
    forget_the_client,
    fresh_main,
)
from cord.runtime.io.output import Capture
from cord.runtime.replica import mirror, tells
from cord.runtime.replica.modules import apply
from cord.runtime.replica.stdin import RefusedInput
from cord.runtime.travel import interrupts, loaded
from cord.runtime.travel.world import VisitorsSurroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from types import FrameType
    from typing import Any, Final

    from cord.plan.model import RemotePlan
else:
    import _signal

READY: Final = b"R"
CANNOT_LOAD: Final = b"F"
# Of a world that no program has: the next call is to enter its own.
_NOWHERE: Final = b"nowhere"
# So much is said of why a module cannot be loaded.
WHY: Final = 4096


def run(modules: list[RemotePlan], index: int, socket: int, streams: ClientStreams) -> None:
    """Serve until the standing agent is gone.

    Args:
        modules: The remote modules that are kept.
        index: Which of them is served here.
        socket: Descriptor of what leads to the agent.
        streams: How the standard streams look.
    """
    plan = modules[index]
    _core.set_process_name(f"cord {plan.module}")
    capture = Capture(streams.stdout, streams.stderr)
    sys.stdin = sys.__stdin__ = RefusedInput()  # type: ignore[assignment,misc]
    forget_the_client()
    loaded.follow()
    tells.install(capture)
    remote = RemoteModule(plan)
    agent = _socket.socket(fileno=socket)
    try:
        remote.obey(b"\0", b"")
    except BaseException as exc:
        why = f"{type(exc).__name__}: {exc}".encode(errors="replace")
        agent.send(CANNOT_LOAD + why[:WHY])
        return
    capture.discard()
    visits = _Visits(remote, capture, agent)
    agent.send(READY)
    visits.serve()


class _Visit(Server):
    """One program's link, and what is the program's own.

    Args:
        link: Descriptor of this end.
        about: What the program is like.
    """

    __slots__ = ("argv", "endpoint", "main", "mirror", "surroundings", "turn")

    def __init__(
        self, link: int, about: dict[str, Any], remote: RemoteModule, capture: Capture, fork: Fork
    ) -> None:
        self.endpoint = _core.Endpoint(link, about["resident"], about["transport"])
        self.endpoint.interrupt_by(INTERRUPT)
        self.surroundings = VisitorsSurroundings(
            about["folder"], about["path"], about["environment"], about["client"], apply
        )
        # of the program that the agent has authenticated
        plans: list[RemotePlan] = loads(bytes.fromhex(about["modules"]))
        plan = next(one for one in plans if one.module == remote.name)
        super().__init__(
            plan, self.endpoint, remote, self.surroundings, capture, fork, may_end=False
        )
        self.argv: list[str] = about["argv"]
        self.main = fresh_main()
        self.mirror = mirror.Mirror()
        self.turn = allocate_lock()
        self.turn.acquire()

    def come_in(self, before: _Visit | None) -> None:
        """Calls of this program are made from here on, after those of another."""
        self._here = _NOWHERE
        sys.argv[:] = self.argv
        sys.modules["__main__"] = self.main
        mirror.change_to(self.mirror, mirror.Mirror() if before is None else before.mirror)

    def answer_next(self, request: Any) -> None:
        """Make a call, or say that the module is there: it is not loaded anew for anybody."""
        if request[0] == LOAD:
            self.endpoint.ready()
            return
        self.endpoint.begin_anew()  # it may have waited for calls of others
        self._answer(*request)

    def leave(self) -> None:
        """The program is gone."""
        del self._serving  # which leads back here


class _Visits:
    """All of them."""

    def __init__(self, remote: RemoteModule, capture: Capture, agent: _socket.socket) -> None:
        self._remote = remote
        self._capture = capture
        self._agent = agent
        self._fork = Fork()
        self._turns: SimpleQueue[Any] = SimpleQueue()
        self._inside: _Visit | None = None
        self._names = set(os.environb)

    def serve(self) -> None:
        """Make calls until the agent is gone."""
        _signal.signal(INTERRUPT, self._interrupt)
        start_new_thread(self._receive, ())
        while (turn := self._turns.get()) is not None:
            visit, what = turn
            if visit is None:
                self._admit(*what)
            elif what is None:
                self._end(visit)
            else:
                self._make(visit, what)
            turn = visit = what = None  # nothing of it may live on

    def _receive(self) -> None:
        """In a thread: hear of programs."""
        size = _socket.CMSG_SPACE(2 * FD_SIZE)
        while True:
            try:
                got, ancillary, _, _ = self._agent.recvmsg(16, size, _socket.MSG_CMSG_CLOEXEC)
            except OSError:
                got = b""
            if not got:
                self._turns.put(None)
                return
            for _, _, data in ancillary:
                ends = range(FD_SIZE, len(data) + 1, FD_SIZE)
                fds = [int.from_bytes(data[end - FD_SIZE : end], sys.byteorder) for end in ends]
                self._turns.put((None, fds))

    def _admit(self, link: int, about: int) -> None:
        try:
            told = json.loads(os.pread(about, os.fstat(about).st_size, 0))
        finally:
            os.close(about)
        try:
            visit = _Visit(link, told, self._remote, self._capture, self._fork)
        except OSError:
            return  # no room: its link has ended, which its agent sees
        self._fork.endpoints.add(visit.endpoint)
        start_new_thread(self._listen, (visit,))

    def _listen(self, visit: _Visit) -> None:
        """In a thread: wait for calls of a program, and hand over one at a time."""
        with suppress(OSError):
            while (request := visit.endpoint.next()) is not None:
                self._turns.put((visit, request))
                request = None
                visit.turn.acquire()
        self._turns.put((visit, None))

    def _make(self, visit: _Visit, request: Any) -> None:
        try:
            if visit is not self._inside:
                self._names = visit.surroundings.move_in(self._names)
                visit.come_in(self._inside)
                self._inside = visit
            visit.answer_next(request)
            self._names |= visit.surroundings.names()
        finally:
            visit.leave_if_cut_off()
            visit.turn.release()

    def _end(self, visit: _Visit) -> None:
        self._fork.endpoints.discard(visit.endpoint)
        if self._inside is visit:
            self._inside = None
        visit.leave()

    def _interrupt(self, _signal_number: int, _frame: FrameType | None) -> None:
        """Raise what has come for the call under way, if anything has."""
        encoded = None if self._inside is None else self._inside.endpoint.take_interrupt()
        if encoded is not None:
            raise interrupts.received(encoded)
