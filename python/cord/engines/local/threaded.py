"""A process that serves several calls at once: each link that it is given in a thread of its own.

To the client each thread is a replica. They share the module, which the main thread loads, once for
all of them; what belongs to a call (its link, what it writes, its context variables) is the
thread's. What belongs to the process (environment, folder, `sys.path`, the main script) is the same
for all calls that run at once: see `gate.py`.

What leads here from the zygote is a socket whose messages bring this end of a link each.
"""

from __future__ import annotations

import os
import sys
from _queue import SimpleQueue
from _thread import allocate_lock
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread, stack_size

from cord import _core
from cord._core import LOAD
from cord.engines.local import control, endings
from cord.engines.local.answering import Server
from cord.engines.local.forked import Fork, end_forked_child
from cord.engines.local.gate import Gate
from cord.engines.local.loading import RemoteModule
from cord.engines.local.replica import (
    ClientStreams,
    begin,
)
from cord.runtime.io.shares import Share, SharedCapture, follow_threads
from cord.runtime.replica import mirror
from cord.runtime.replica.modules import apply
from cord.runtime.travel import raised, settings
from cord.runtime.travel.world import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket
    from collections.abc import Callable
    from contextvars import Context
    from typing import Any, Final

    from cord.engines.local.gathered import Request
    from cord.plan.model import RemotePlan
    from cord.runtime.travel.codec import Encoded

# Of a world that no call has: the next one is to enter its own.
_NOWHERE: Final = b"nowhere"
# The stack of threads where the main thread's is not limited.
_STACK: Final = 64 << 20
# As the core writes an order to load: what is to be done, and the number of the order.
_ORDER: Final = 1


def run(
    modules: list[RemotePlan],
    index: int,
    link: int,
    client: int,
    streams: ClientStreams,
    zygote: Socket,
) -> None:
    """Serve calls of a remote module until the client is gone.

    Args:
        modules: The remote modules of the session.
        index: Which of them is served here.
        link: Descriptor of this end of the first link.
        client: Process id of the client.
        streams: How the client's streams look.
        zygote: Brings the others.
    """
    capture = SharedCapture(streams.stdout, streams.stderr)
    remote = begin(modules, index, capture)
    _set_stack_size()
    follow_threads()
    process = _Process(modules[index], remote, Surroundings(client, apply), capture, zygote)
    process.admit(link)
    process.serve()
    endings.leave(capture)


def _set_stack_size() -> None:
    """Let threads have as much of a stack as the main thread, which is what the system does."""
    import resource

    if resource.getrlimit(resource.RLIMIT_STACK)[0] == resource.RLIM_INFINITY:
        stack_size(_STACK)


class _Process:
    """What the threads share.

    Attributes:
        plan: What the plan says of the module.
        remote: The module.
        surroundings: The world of this process.
        capture: Recorder of what is written.
        fork: Whether this is a child that a call has forked.
        gate: Who may run.
        context: The context variables that each call begins with.
    """

    def __init__(
        self,
        plan: RemotePlan,
        remote: RemoteModule,
        surroundings: Surroundings,
        capture: SharedCapture,
        zygote: Socket,
    ) -> None:
        self.plan = plan
        self.remote = remote
        self.surroundings = surroundings
        self.capture = capture
        self.fork = Fork()
        self.gate = Gate(surroundings.enter)
        self.context: Context = copy_context()
        self._zygote = zygote
        self._turns: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._live = self._begun = 0
        self._loaded = b""  # the number of the last order, and what has come of it
        self._failure = b""
        mirror.change_by(self.gate.change)

    def serve(self) -> None:
        """In the main thread: do what is to be done there, until all links have ended."""
        Thread(target=self._receive, daemon=True).start()
        while self._live > 0 and (turn := self._turns.get()) is not None:
            turn()
            del turn  # nothing of it may live on

    def _receive(self) -> None:
        """In a thread: hear of links."""
        while True:
            message, link = b"", -1
            with suppress(OSError):
                message, link = control.receive_with_descriptor(self._zygote)
            if not message:
                return self._turns.put(None)
            self._turns.put(partial(self.admit, link))

    def admit(self, link: int) -> None:
        """Serve one more link."""
        self._live += 1
        self._begun += 1
        name = f"{self.plan.module} {self._begun}"
        try:
            # no daemon: nor are the threads that functions start, then
            Thread(target=self._listen, args=(link,), name=name, daemon=False).start()
        except RuntimeError:  # no room for a thread
            os.close(link)
            self._live -= 1

    def _listen(self, link: int) -> None:
        """In a thread: serve a link."""
        then: Callable[[], None] = self._leave
        try:
            place = _Thread(self, link)
        except OSError:  # no room: its link has ended, as the client sees
            place = None
        try:
            if place is not None:
                place.serve()
        except BaseException as exc:
            then = partial(_raise, exc)
        finally:
            if place is not None:
                place.leave_if_cut_off()
                self.fork.endpoints.discard(place.endpoint)
            self._turns.put(then)

    def _leave(self) -> None:
        self._live -= 1

    def load(self, order: bytes, world: bytes) -> bytes:
        """Have the main thread follow an order, unless it has; for what a thread tells of it.

        Returns:
            The encoded exception if that failed, else nothing.
        """
        done = allocate_lock()
        done.acquire()
        self._turns.put(partial(self._load, order, world, done.release))
        done.acquire()
        return self._failure

    def _load(self, order: bytes, world: bytes, tell: Callable[[], None]) -> None:
        if order[_ORDER:] != self._loaded:
            self._failure = self._obey(order[:_ORDER], world)
            self._loaded = order[_ORDER:]
        tell()

    def _obey(self, order: bytes, world: bytes) -> bytes:
        head = b""
        try:
            self.gate.come_in_alone(world)
            self.remote.obey(order, world)
        except BaseException as exc:
            if self.fork.happened:
                end_forked_child(exc)
            head = raised.encode_exception(exc)
        finally:
            self.gate.go_out()
        if self.fork.happened:
            os._exit(0)
        self.capture.discard()
        self.context = copy_context()
        return head


class _Thread(Server):
    """One of the threads, which serves a link. It is made there.

    Attributes:
        endpoint: This end of the link.

    Args:
        process: What it shares with the others.
        link: Descriptor of this end.

    Raises:
        OSError: There is no room.
    """

    __slots__ = ("_process", "_share", "endpoint")

    def __init__(self, process: _Process, link: int) -> None:
        plan = process.plan
        self.endpoint = endpoint = _core.Endpoint(link, plan.resident_bytes, plan.transport)
        endpoint.share_process(process.gate.wait, process.gate.go_on)
        endpoint.adopt_thread()
        process.fork.endpoints.add(endpoint)
        process.remote.endpoint = process.remote.endpoint or endpoint
        self._process = process
        self._share = Share(process.capture, endpoint.adopt_thread)
        super().__init__(
            plan,
            endpoint,
            process.remote,
            process.surroundings,
            self._share,
            process.fork,
        )
        endpoint.answer_by(self.answer_inner, self.fail_inner)

    def serve(self) -> None:
        """Answer calls, one after the other, until the client is gone."""
        while (request := self.endpoint.next()) is not None:
            if request[0] == LOAD:
                self._load(request[1][1], request[2])
            elif self._gathering:
                self._answer_all([request, *self.endpoint.alike()])
            else:
                self._answer(*request)
            request = None  # nothing of this call may live on while the thread waits

    def answer_inner(
        self, call: int, arguments: Encoded, world: bytes, given: list[Encoded]
    ) -> None:
        """Answer a call that comes while another one waits for a remote function."""
        written = self._share.suspend()
        seen, self._seen = self._seen, None
        aside = self._leftovers.put_aside()
        try:
            self._answer(call, arguments, world, given)
        finally:
            self._seen = seen
            self._share.resume(written)
            self._leftovers.go_on(aside)

    def _load(self, order: bytes, world: bytes) -> None:
        head = self._process.load(order, world)
        if self._remote.module is None:
            self.endpoint.init_failed(head)
        else:  # a failed reload leaves the module as far as it came, here as in the client
            self.endpoint.ready()

    def _answer_all(self, requests: list[Request]) -> None:
        self._process.context.copy().run(super()._answer_all, requests)

    def _gather(self, requests: list[Request]) -> list[Callable[[], None]] | None:
        self._share.take()
        _have_own_decimals()
        try:
            return super()._gather(requests)
        finally:
            self._process.gate.go_out()

    def _answer(self, *request: Any) -> None:
        self._process.context.copy().run(self._answer_in_context, *request)

    def _answer_in_context(self, *request: Any) -> None:
        self._share.take()
        _have_own_decimals()
        self._here = _NOWHERE
        try:
            super()._answer(*request)
        finally:
            self._process.gate.go_out()

    def _enter(self, world: bytes) -> None:
        if self._process.gate.come_in(world):
            self.endpoint.begin_anew()  # it has waited for calls of others
        settings.enter_thread()


def _have_own_decimals() -> None:
    """Give this context a copy of the decimal context that it has got."""
    decimal = sys.modules.get("decimal")
    if decimal is not None:
        with suppress(AttributeError):  # it is being imported
            decimal.setcontext(decimal.getcontext().copy())


def _raise(exc: BaseException) -> None:
    raise exc
