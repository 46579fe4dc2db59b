"""A replica: a process that imports one remote module and serves calls of its functions.

It imports the module when the client does, and in the same world.
"""

from __future__ import annotations

import os
import sys

from cord import _core, own
from cord.engines.local import endings
from cord.engines.local.answering import Server
from cord.engines.local.forked import Fork
from cord.engines.local.loading import RemoteModule
from cord.engines.local.pacing import Pacing
from cord.engines.local.twins import Seed
from cord.runtime.io import bytecode
from cord.runtime.io.output import Capture, StreamStyle
from cord.runtime.replica import tells
from cord.runtime.replica.modules import apply
from cord.runtime.replica.stdin import RefusedInput
from cord.runtime.travel import interrupts, loaded
from cord.runtime.travel.world import Surroundings

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from _socket import socket as Socket
    from collections.abc import Iterator
    from types import FrameType, ModuleType
    from typing import Final

    from cord.plan.model import RemotePlan
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

# The signal that interrupts a call. Only the replica itself sends it, and only then.
INTERRUPT: Final = _signal.SIGURG


class ClientStreams:
    """How the client's stdout and stderr look; None for one that it does not have."""

    __slots__ = ("stderr", "stdout")

    def __init__(self) -> None:
        self.stdout = None if sys.stdout is None else StreamStyle(sys.stdout)
        self.stderr = None if sys.stderr is None else StreamStyle(sys.stderr)


class Interrupter:
    """Handles the signal that interrupts a call: raises what was raised where the call was made.

    Args:
        endpoint: This end of the link.
    """

    __slots__ = ("_endpoint",)

    def __init__(self, endpoint: _core.Endpoint) -> None:
        self._endpoint = endpoint

    def handle(self, _signal_number: int, _frame: FrameType | None) -> None:
        """Raise what has come for the call under way, if anything has."""
        encoded = self._endpoint.take_interrupt()
        if encoded is not None:
            raise interrupts.received(encoded)


def run(
    modules: list[RemotePlan],
    index: int,
    slot: int,
    link: int,
    client: int,
    streams: ClientStreams,
    first: Socket | None,
) -> None:
    """Serve calls of a remote module until the client is gone.

    Args:
        modules: The remote modules of the session.
        index: Which of them is served here.
        slot: Which of its replicas this is, from 0.
        link: Descriptor of this end of the link.
        client: Process id of the client.
        streams: How the client's streams look.
        first: In the first of replicas that are to be copies of it: leads to the zygote.
    """
    plan = modules[index]
    capture = Capture(streams.stdout, streams.stderr)
    remote = begin(modules, index, capture)
    surroundings = Surroundings(client, apply)

    def become(slot: int, link: int) -> None:
        _core.set_process_name(f"cord {plan.module}")
        capture.renew()
        _serve(plan, remote, surroundings, capture, slot, link, None)

    seed = None if first is None else Seed(first, become)
    _serve(plan, remote, surroundings, capture, slot, link, seed)


def begin(modules: list[RemotePlan], index: int, capture: Capture) -> RemoteModule:
    """Be a process that serves a remote module.

    Args:
        modules: The remote modules of the session.
        index: Which of them is served here.
        capture: Recorder of what is written.

    Returns:
        The module, which is not loaded.
    """
    _core.set_process_name(f"cord {modules[index].module}")
    bytecode.keep_aside(capture.record_bytecode)
    sys.stdin = sys.__stdin__ = RefusedInput()  # type: ignore[assignment,misc]
    forget_the_client()
    tells.install(capture)
    endings.follow_threads(capture, Server.serve.__code__)
    loaded.follow()
    remote = RemoteModule(modules[index])
    if len(modules) > 1:
        _call_others(modules, remote)
    return remote


def _serve(
    plan: RemotePlan,
    remote: RemoteModule,
    surroundings: Surroundings,
    capture: Capture,
    slot: int,
    link: int,
    seed: Seed | None,
) -> None:
    endpoint = _core.Endpoint(link, plan.resident_bytes, plan.transport)
    if plan.recycle is not None and plan.recycle.bytes is not None:
        endpoint.renew_at(plan.recycle.bytes)
    remote.endpoint = endpoint
    stretch = plan.stretch(slot)
    pacing = Pacing(stretch) if stretch else None
    fork = Fork()
    fork.endpoints.add(endpoint)
    server = Server(plan, endpoint, remote, surroundings, capture, fork, pacing, seed)
    endpoint.answer_by(server.answer_inner, server.fail_inner)
    _signal.signal(INTERRUPT, Interrupter(endpoint).handle)
    endpoint.interrupt_by(INTERRUPT)
    try:
        server.serve()
    finally:  # whatever fails in a process whose descriptors a function has closed
        server.leave_if_cut_off()
    endings.run.has_made = server.has_made()
    endings.leave(capture)


def end_as_python_does() -> None:
    """Do what the end of a Python process does for a module: exit functions, flushed files.

    What they print is discarded: the client's own copy of the module has had its end.
    """
    import atexit
    import gc
    from _io import _IOBase  # `io.IOBase` asks other classes, too, which takes long
    from contextlib import suppress

    with suppress(OSError):
        os.close(0)  # nobody reads it, and functions may have used up all others
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    with suppress(BaseException):
        atexit._run_exitfuncs()
    files = [each for each in gc.get_objects() if issubclass(type(each), _IOBase)]
    for file in files:
        with suppress(Exception):
            file.flush()


_kept: list[object] = []


def fresh_main() -> ModuleType:
    """A `__main__` with nothing in it."""
    fresh = type(sys)("__main__")
    fresh.__builtins__ = sys.modules["builtins"]  # type: ignore[attr-defined]
    return fresh


def forget_the_client() -> None:
    """Leave nothing of Cord's where the remote module would find the program."""
    # The old __main__ must live: functions of it may be running below us.
    _kept.append(sys.modules["__main__"])
    sys.modules["__main__"] = fresh_main()
    # Hooks that translate client modules have no business here.
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not str(getattr(finder, "__module__", "")).startswith("cord.")
    ]
    sys.meta_path.insert(0, own.Finder)  # calls may use up what Python's finders need
    _core.keep_spare()


def _call_others(modules: list[RemotePlan], remote: RemoteModule) -> None:
    """Let the module find the other remote modules' functions remote, as the client does."""
    from contextlib import contextmanager

    # a single module needs none of this
    from cord.runtime.client.manners import Manners
    from cord.runtime.client.remotes import RemoteFinder, make_remote

    numbers = {plan.module: n for n, plan in enumerate(modules) if not plan.is_program}
    numbers.pop(remote.name, None)

    @contextmanager
    def serving(module: ModuleType) -> Iterator[None]:
        yield
        assert remote.endpoint is not None
        number, endpoint = numbers[module.__name__], remote.endpoint.of_thread()
        remote.is_bound = True
        if not remote.is_loading:  # else the client imports it too, and says when
            endpoint.load(number)
        make_remote(module, Manners(modules[number]), number, endpoint)

    RemoteFinder(numbers, serving).install()
