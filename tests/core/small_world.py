"""A zygote and replicas in a few lines, to try the native core without the rest of Cord."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from cord import _core

Serve = Callable[[int, Any], None]


def answer(endpoint: Any, serve: Callable[[bytes, list[Any]], tuple[bytes, list[Any]]]) -> None:
    """Answers calls by ``serve(head, buffers)`` until the client is gone."""
    endpoint.ready()
    while (incoming := endpoint.next()) is not None:
        call, (number, head, buffers), _world, _values = incoming
        result, out = serve(head, buffers)
        endpoint.reply(call, _core.VALUE, (number, result, out), b"")


def echo(head: bytes, buffers: list[Any]) -> tuple[bytes, list[Any]]:
    """Understands a few commands, and otherwise gives back what it gets."""
    if head == b"pid":
        return str(os.getpid()).encode(), []
    if head.startswith(b"sleep "):
        time.sleep(float(head[6:]))
    elif head.startswith(b"exit "):
        os._exit(int(head[5:]))
    elif head == b"scribble":
        memoryview(buffers[0])[0] = 255
    elif head.startswith(b"log "):
        with open(head[4:], "a", encoding="utf-8") as log:
            log.write(f"{os.getpid()}\n")
        if not os.path.exists(head[4:] + b".live"):
            os.kill(os.getpid(), signal.SIGKILL)
    return head, buffers


def echo_replica(_module: int, endpoint: Any) -> None:
    """A replica that is ready at once."""
    answer(endpoint, echo)


class World:
    """Sessions with their zygotes; all of them end with the test."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self.zygotes: list[int] = []

    def session(self, modules: dict[str, int], serve: Serve = echo_replica) -> _core.Session:
        """Starts replicas that run ``serve(module, endpoint)``."""
        specs = [_core.Module(name, replicas) for name, replicas in modules.items()]
        return self.session_of(specs, serve)

    def session_of(self, modules: list[_core.Module], serve: Serve = echo_replica) -> _core.Session:
        """As ``session``, for modules that are served in some special way."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            ours.close()
            _zygote(theirs, serve)
        return self._session(modules, ours, theirs, pid)

    def session_apart(self, modules: dict[str, int], serve: Serve) -> _core.Session:
        """As ``session``, with replicas that were not forked from this process.

        Such as were leave alone what memory this process has used for segments before.
        """
        specs = [_core.Module(name, replicas) for name, replicas in modules.items()]
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        serving = sys.modules[serve.__module__]
        path = [os.path.dirname(str(serving.__file__)), os.path.dirname(__file__)]
        code = (
            f"import sys, socket; sys.path[:0] = {path!r}; import small_world, {serving.__name__};"
            f"small_world._zygote(socket.socket(fileno={theirs.fileno()}),"
            f"{serving.__name__}.{serve.__name__})"
        )
        os.set_inheritable(theirs.fileno(), True)
        pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ)
        return self._session(specs, ours, theirs, pid)

    def _session(
        self, modules: list[_core.Module], ours: socket.socket, theirs: socket.socket, pid: int
    ) -> _core.Session:
        theirs.close()
        self.zygotes.append(pid)
        self._stack.callback(_reap, pid)
        session = _core.Session(modules, ours.detach())
        self._stack.callback(session.close)
        return session

    def close(self) -> None:
        """Ends everything."""
        self._stack.close()


def _reap(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _zygote(control: socket.socket, serve: Serve) -> None:
    """Starts replicas until the client is gone, then ends with all of them."""
    os.setpgid(0, 0)
    control.settimeout(0.005)
    try:
        _start_replicas(control, serve)
    finally:
        os.killpg(0, signal.SIGKILL)


def _start_replicas(control: socket.socket, serve: Serve) -> None:
    """Forks a replica per launch message, and reports starts and ends, until the client is gone."""
    replicas: dict[int, int] = {}
    while True:
        with contextlib.suppress(TimeoutError):
            message, fds, _, _ = socket.recv_fds(control, 64, 1)
            if not message:
                return
            kind, module, replica, _ = struct.unpack("<cIII", message)
            assert kind == _core.LAUNCH
            pid = os.fork()
            if pid == 0:
                control.close()
                _replica(module, fds[0], serve)
            os.close(fds[0])
            replicas[pid] = replica
            control.send(struct.pack("<cII", _core.STARTED, replica, pid))
        while replicas:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            control.send(struct.pack("<cIi", _core.EXITED, replicas.pop(pid), status))


def _replica(module: int, fd: int, serve: Serve) -> None:
    try:
        serve(module, _core.Endpoint(fd, getattr(serve, "resident_bytes", None)))
    except BaseException:
        os._exit(70)
    os._exit(0)
