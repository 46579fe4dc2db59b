"""A replica: a process that imports one remote module and serves calls of its functions."""

from __future__ import annotations

import os
import sys
from _pickle import dumps, loads

from cord import _core
from cord.runtime import codec
from cord.runtime.output import Capture, StreamStyle
from cord.runtime.stdin import RefusedInput

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Final, NoReturn

    from cord.plan.model import RemotePlan

VALUE: Final = 0
EXCEPTION: Final = 1
NOT_ENCODABLE: Final = 2

# What a call is at, to tell whose fault an exception is.
DECODING: Final = 0
CALLING: Final = 1
ENCODING: Final = 2


class ClientStreams:
    """How the client's stdout and stderr look; None for one that it does not have."""

    __slots__ = ("stderr", "stdout")

    def __init__(self) -> None:
        self.stdout = None if sys.stdout is None else StreamStyle(sys.stdout)
        self.stderr = None if sys.stderr is None else StreamStyle(sys.stderr)


class Fork:
    """Tells whether this process is the replica or a child that a remote function forked."""

    __slots__ = ("happened", "link")

    def __init__(self, link: int) -> None:
        self.happened = False
        self.link = link
        os.register_at_fork(after_in_child=self._in_child)

    def _in_child(self) -> None:
        if not self.happened:
            self.happened = True
            _core.forked()  # other remote modules are local there
            os.close(self.link)  # or the client would not see the end of a replica that dies


def run(modules: list[RemotePlan], index: int, link: int, streams: ClientStreams) -> NoReturn:
    """Serve calls of a remote module until the client is gone; ends this process.

    Args:
        modules: The remote modules of the session.
        index: Which of them is served here.
        link: Descriptor of this end of the link.
        streams: How the client's streams look.
    """
    module = modules[index].module
    _core.set_process_name(f"cord {module}")
    capture = Capture(streams.stdout, streams.stderr)
    sys.stdin = sys.__stdin__ = RefusedInput()  # type: ignore[assignment,misc]
    _forget_the_client()
    endpoint = _core.Endpoint(link)
    fork = Fork(link)
    if len(modules) > 1:
        _call_others(modules, index, endpoint)
    try:
        remote = import_remote(module)
    except BaseException as exc:
        if fork.happened:
            _end_forked_child(exc)
        endpoint.init_failed(codec.encode_exception(exc))
        while endpoint.next() is not None:
            continue  # until the client has read it and hangs up
        os._exit(1)
    capture.discard()
    server = Server(endpoint, remote, capture, fork)
    endpoint.answer_by(server.answer_inner, server.fail_inner)
    endpoint.ready()
    server.serve()
    os._exit(0)


_kept: list[object] = []


def _forget_the_client() -> None:
    """Leave nothing of Cord's where the remote module would find the program."""
    # The old __main__ must live: functions of it may be running below us.
    _kept.append(sys.modules["__main__"])
    fresh = type(sys)("__main__")
    fresh.__builtins__ = sys.modules["builtins"]  # type: ignore[attr-defined]
    sys.modules["__main__"] = fresh
    # Hooks that translate client modules have no business here.
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not str(getattr(finder, "__module__", "")).startswith("cord.")
    ]


def _call_others(modules: list[RemotePlan], index: int, endpoint: _core.Endpoint) -> None:
    """Let the module find the other remote modules' functions remote, as the client does."""
    from cord.runtime.remotes import RemoteFinder, make_remote  # a single module needs none

    others = {plan.module: number for number, plan in enumerate(modules) if number != index}

    def serve(module: ModuleType) -> None:
        number = others[module.__name__]
        make_remote(module, modules[number], number, endpoint)

    RemoteFinder(others, serve).install()


def import_remote(module: str) -> ModuleType:
    """Import a module by its dotted name and return it (not its package).

    Args:
        module: The name.

    Returns:
        The module itself.
    """
    # The import statement's own function, not importlib's: it cuts the import system's frames
    # from the traceback of a failure, as in the plain program.
    __import__(module)
    return sys.modules[module]


class Server:
    """Answers calls of one remote module.

    Args:
        endpoint: This end of the link.
        remote: The remote module; functions are looked up in it call by call.
        capture: Recorder of what calls write.
        fork: Whether a call came back in a forked child.
    """

    __slots__ = ("_capture", "_endpoint", "_fork", "_remote")

    def __init__(
        self, endpoint: _core.Endpoint, remote: ModuleType, capture: Capture, fork: Fork
    ) -> None:
        self._endpoint = endpoint
        self._remote = remote
        self._capture = capture
        self._fork = fork

    def serve(self) -> None:
        """Answer calls, one after the other, until the client is gone."""
        next_call, answer = self._endpoint.next, self._answer
        while (request := next_call()) is not None:
            answer(*request)
            request = None  # nothing of this call may live on while the replica waits

    def answer_inner(self, call: int, head: bytes, received: list[Any]) -> None:
        """Answer a call that comes while another one waits for a remote function."""
        written = self._capture.suspend()
        try:
            self._answer(call, head, received)
        finally:
            self._capture.resume(written)

    def fail_inner(self, call: int, exc: BaseException) -> None:
        """Answer a call that `answer_inner` could not answer, for lack of frames perhaps."""
        if self._fork.happened:
            _end_forked_child(exc)
        self._endpoint.reply(call, EXCEPTION, codec.encode_exception(exc), [], b"")

    def _answer(self, call: int, head: bytes, received: list[Any]) -> None:
        fork = self._fork
        buffers: list[Any] = []
        name, value, at = "", None, DECODING
        try:
            name, args, kwargs = loads(head, buffers=received)
            function = getattr(self._remote, name)
            at = CALLING
            value = function(*args, **kwargs)
            at = ENCODING
            head = dumps(value, 5, buffer_callback=buffers.append)
            kind = VALUE
        except BaseException as exc:
            if fork.happened:
                _end_forked_child(exc)
            kind, head = _failure(exc, at, name, value)
            buffers = []
        if fork.happened:
            os._exit(0)
        self._endpoint.reply(call, kind, head, buffers, self._capture.drain())


def _failure(exc: BaseException, at: int, name: str, value: object) -> tuple[int, bytes]:
    if at == CALLING:
        return EXCEPTION, codec.encode_exception(exc)
    if at == ENCODING:
        return NOT_ENCODABLE, codec.encode_exception(codec.result_error(exc, value, name))
    return EXCEPTION, codec.encode_exception(codec.decoding_error(exc, name))


def _end_forked_child(exc: BaseException) -> NoReturn:
    """End a child that a remote function forked, as the interpreter would on this exception."""
    code = 1
    if isinstance(exc, SystemExit):
        code = exc.code if isinstance(exc.code, int) else 0 if exc.code is None else 1
        if isinstance(exc.code, str):
            sys.stderr.write(f"{exc.code}\n")
    else:
        sys.excepthook(type(exc), exc, exc.__traceback__)
    os._exit(code & 0xFF)
