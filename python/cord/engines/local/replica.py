"""A replica: a process that imports one remote module and serves calls of its functions.

It imports the module when the client does, and in the same world.
"""

from __future__ import annotations

import os
import sys
from _pickle import UnpicklingError, dumps, loads

from cord import _core
from cord.engines.local.libraries import limit_threads
from cord.runtime import codec, mirror
from cord.runtime.output import Capture, StreamStyle
from cord.runtime.stdin import RefusedInput
from cord.runtime.world import Surroundings

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Final, NoReturn, Protocol

    from cord.engines.local.zygote import ReplicaSpec

    class Endpoint(Protocol):
        """The replica's end of its link, as `_core.Endpoint` has it."""

        def ready(self) -> None:
            """Tell the client that calls may come."""

        def init_failed(self, head: bytes) -> None:
            """Tell the client why they cannot."""

        def next(self) -> tuple[int, bytes, list[Any], bytes] | None:
            """Wait for a call: its number, its head, its buffers and its world; None at the end.

            Number 0 is the order to load the module; its head says whether once more.
            """

        def reply(
            self, call: int, kind: int, head: bytes, buffers: list[Any], output: bytes
        ) -> None:
            """Answer a call."""


VALUE: Final = 0
EXCEPTION: Final = 1
NOT_ENCODABLE: Final = 2

LOAD: Final = 0  # the number of no call

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
            os.close(self.link)  # or the client would not see the end of a replica that dies


def run(spec: ReplicaSpec, link: int, client: int, streams: ClientStreams) -> NoReturn:
    """Serve calls of a remote module until the client is gone; ends this process.

    Args:
        spec: What the client says of the remote module.
        link: Descriptor of this end of the link.
        client: Process id of the client.
        streams: How the client's streams look.
    """
    _core.set_process_name(f"cord {spec.module}")
    capture = Capture(streams.stdout, streams.stderr)
    sys.stdin = sys.__stdin__ = RefusedInput()  # type: ignore[assignment,misc]
    _forget_the_client()
    fork = Fork(link)
    serve(_core.Endpoint(link), RemoteModule(spec), Surroundings(client), capture, fork)
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


class RemoteModule:
    """The remote module, as far as it is loaded.

    Args:
        spec: What the client says of it.
    """

    __slots__ = ("_spec", "module")

    def __init__(self, spec: ReplicaSpec) -> None:
        self._spec = spec
        self.module: ModuleType | None = None

    def load(self, *, again: bool) -> None:
        """Do what the client does now: import the module anew, or execute it once more.

        Args:
            again: The client reloads the module object that it has.
        """
        name = self._spec.module
        if again and self.module is not None:
            from importlib import reload

            self.module = reload(self.module)
            return
        if self._spec.blas_threads is not None:
            limit_threads(self._spec.blas_threads)
        if self._spec.is_program:  # what it defines comes with the calls
            self.module = sys.modules["__main__"]
            return
        sys.modules.pop(name, None)
        # The import statement's own function, not importlib's: it cuts the import system's frames
        # from the traceback of a failure, as in the plain program.
        __import__(name)
        self.module = sys.modules[name]


def serve(
    endpoint: Endpoint,
    remote: RemoteModule,
    surroundings: Surroundings,
    capture: Capture,
    fork: Fork,
) -> None:
    """Answer calls, one after the other, until the client is gone.

    Args:
        endpoint: This end of the link.
        remote: The remote module; functions are looked up in it call by call.
        surroundings: The world of this process.
        capture: Recorder of what calls write.
        fork: Whether a call came back in a forked child.
    """
    next_call, reply, drain = endpoint.next, endpoint.reply, capture.drain
    here = b""
    while (request := next_call()) is not None:
        call, head, received, world = request
        buffers: list[Any] = []
        name, value, at = "", None, DECODING
        try:
            if world is not here:
                surroundings.enter(world)
                here = world
            if call == LOAD:
                at = CALLING
                remote.load(again=head != b"\0")
            else:
                name, args, kwargs = _decoded(head, received)
                function = getattr(remote.module, name)
                at = CALLING
                value = function(*args, **kwargs)
                at = ENCODING
                head = _encode(value, buffers)
            kind = VALUE
        except BaseException as exc:
            if fork.happened:
                _end_forked_child(exc)
            kind, head = _failure(exc, at, name.rpartition(":")[2], value)
            buffers = []
        if mirror.is_lent():
            kind, head = _with_changes(kind, head, name, buffers)
        if fork.happened:
            os._exit(0)
        if call != LOAD:
            reply(call, kind, head, buffers, drain())
        else:
            capture.discard()
            # A failed reload leaves the module as far as it came, here as in the client.
            endpoint.init_failed(head) if remote.module is None else endpoint.ready()
        # Nothing of this call may live on while the replica waits for the next.
        request = received = args = kwargs = function = value = None  # type: ignore[assignment]


def _encode(value: object, buffers: list[Any]) -> bytes:
    try:
        head = dumps(value, 5, buffer_callback=buffers.append)
    except Exception as refusal:
        return codec.encode_by_value(value, buffers, refusal)
    if _core.mentions_sets(head):
        return _in_order(value, buffers) or head
    return head


def _with_changes(kind: int, head: bytes, name: str, buffers: list[Any]) -> tuple[int, bytes]:
    try:
        return kind, mirror.take_home(head)
    except Exception as exc:
        buffers.clear()
        error = codec.value_error(exc, None, f"what {name}() has changed in the main script", "")
        return NOT_ENCODABLE, codec.encode_exception(error)


def _decoded(head: bytes | memoryview, received: list[Any]) -> Any:
    try:
        return loads(head, buffers=received)
    except UnpicklingError:
        from cord.runtime import ordered

        return ordered.loads(head, received)


def _in_order(value: object, buffers: list[Any]) -> bytes | None:
    from cord.runtime import ordered

    return ordered.dumps(value, buffers)


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
