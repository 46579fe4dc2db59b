"""The life of a server: it begins, reloads at SIGHUP, drains at SIGTERM."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from cord import _core
from cord.errors import CordError
from cord.plan.http_plan import HttpPlan
from cord.plan.program import Program
from cord.plan.read import FILE_NAME, read_variants
from cord.ready import ready
from cord.runtime.io.output import replay
from cord.tools.replicas import counted
from cord.tools.serve.files import Watched, check_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from cord.plan.model import Plan
    from cord.tools.serve.service import Service

_EXAMPLE = """\
for example:

    [http.routes]
    "GET /hello/{name}" = "work.hello"    # work.hello(name) answers"""
# The exit code where it was told twice to end: requests were broken off.
BROKEN_OFF = 1
# Seconds before what starts replicas, which has ended by itself, is started again.
_PAUSE = 1.0
# Seconds from one look at files to the next.
_LOOK = 0.5


def serve(config: str | None, settings: list[str], variant: str, *, reloads: bool = False) -> int:
    """Serve the routes of a plan until SIGTERM or Ctrl-C.

    Args:
        config: The plan; None for the cord.toml of the current folder.
        settings: The settings given with `--set`, each KEY=VALUE.
        variant: The variant.
        reloads: Whether to read plan and modules anew when a file beside the plan has changed.

    Returns:
        The exit code: 0 if all that was accepted was answered.

    Raises:
        CordError: It cannot be served.
    """
    path = config if config is not None else FILE_NAME
    if not os.path.isfile(path):
        raise CordError(
            f"there is no plan {path}" if config else f"there is no {FILE_NAME} here",
            f"name one: cord serve {path}" if config is None else None,
        )
    from cord.tools.shadowing import find_first

    folder = os.path.dirname(os.path.abspath(path))
    _require_msgspec()
    _have_standard_streams()
    find_first(folder)
    sys.argv = [path]

    def read() -> Plan:
        # a fresh one each time: it remembers what modules look like
        program = Program("the service", "", folder, folder, runs=True)
        plan = read_variants(path, settings, program, [variant])[variant]
        if plan.http is None:
            raise CordError(f"{path} has no [http]", _EXAMPLE)
        check_files(plan.http)
        return plan

    plan = read()
    assert plan.http is not None
    watched = Watched(folder) if reloads else None
    return _Server(_listen(plan.http), read, watched).run(plan)


def _have_standard_streams() -> None:
    """Let no socket be where standard streams are: replicas take their own to be there."""
    while (file := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(file, True)
    os.close(file)


def _require_msgspec() -> None:
    from importlib.util import find_spec

    if find_spec("msgspec") is None:
        raise CordError(
            "cord serve needs msgspec, which is not installed for this Python",
            'install it with Cord: pip install "cord-run[serve]"',
        )


def _listen(http: HttpPlan) -> _core.HttpFront:
    admin = None if http.admin == "off" else http.admin
    try:
        return _core.HttpFront(http.bind, admin)
    except OSError as error:
        key, at = "bind", http.bind
        if admin is not None:
            with suppress(OSError):
                _core.HttpFront(http.bind).close()
                key, at = "admin", admin  # as that one is free
        raise CordError(
            f'{http.called(key)} is "{at}", where cord cannot listen: {_reason(error)}',
            _remedy(error, key, at),
        ) from None


def _reason(error: OSError) -> str:
    return str(error) if error.errno is None else os.strerror(error.errno)


def _remedy(error: OSError, key: str, at: str) -> str | None:
    port = at.rpartition(":")[2]
    if error.errno == errno.EADDRINUSE:
        return (
            f"something listens there already (ss -ltnp 'sport = :{port}'); or --set http.{key}=…"
        )
    if error.errno == errno.EACCES:
        return "ports below 1024 are for the administrator: choose a larger one"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; 0.0.0.0 is all that it has"
    if error.errno is None:  # a name that nobody knows
        return (
            f'{key} is an address of this machine: http.{key} = "0.0.0.0:{port}" is all that it has'
        )
    return None


class _Server:
    """A front end, and the generations of what it serves.

    Args:
        front: The front end.
        read: Reads the plan, as it is now.
        watched: The files whose changes are a reason to do so; None for none.
    """

    def __init__(self, front: _core.HttpFront, read: Any, watched: Watched | None) -> None:
        self._watched = watched
        self._front = front
        self._read = read
        self._services: dict[int, Service] = {}
        self._wanted: list[int] = []  # signals that have come
        self._is_draining = False
        self._is_beginning = True  # something is imported, which may take long

    def run(self, plan: Plan) -> int:
        wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        before = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        handled = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        handlers = {one: signal.signal(one, self._note) for one in handled}
        try:
            self._begin(plan)
            return self._wait(wake)
        finally:
            self._front.close()
            for service in self._services.values():
                service.close()
            self._print()
            signal.set_wakeup_fd(before)
            for one, handler in handlers.items():
                signal.signal(one, handler)
            os.close(wake)
            os.close(woken)

    def _note(self, number: int, _: FrameType | None) -> None:
        self._wanted.append(number)
        if self._is_beginning and number != signal.SIGHUP:
            raise KeyboardInterrupt  # nobody waits for what has not begun

    def _begin(self, plan: Plan) -> None:
        service = self._serve(plan)
        http = service.http
        host, port = self._front.address
        host = f"[{host}]" if ":" in host else host
        scheme = "http" if http.tls is None else "https"
        routes = counted(len(http.routes), "route")
        _say(f"serving on {scheme}://{host}:{port} ({routes}, {service.size} at once)")
        if self._front.admin is not None:
            host, port = self._front.admin
            _say(f"metrics on http://{f'[{host}]' if ':' in host else host}:{port}/metrics")
        _say_all(service.notes())

    def _serve(self, plan: Plan) -> Service:
        from cord.tools.serve.service import Service

        self._is_beginning = True
        try:
            service = Service(plan)
        finally:
            self._is_beginning = False
        try:
            self._services[service.install(self._front)] = service
        except BaseException:
            service.close()
            raise
        return service

    def _wait(self, wake: int) -> int:
        while True:
            end = self._newest().end if not self._is_draining else wake
            pause = None if self._watched is None else _LOOK
            heard = ready([wake, self._front.fileno(), end], pause)
            if self._watched is not None and self._watched.have_changed():
                self._wanted.append(signal.SIGHUP)
            with suppress(BlockingIOError):
                os.read(wake, 4096)
            self._print()
            while self._wanted:
                if self._obey(self._wanted.pop(0)):
                    return BROKEN_OFF
            if self._is_draining:
                if not self._services:
                    return 0
            elif (newest := self._newest()).end in heard and not (
                ready([wake], _PAUSE) or newest.goes_on()
            ):
                self._renew()

    def _obey(self, number: int) -> bool:
        """Do what a signal says; whether it is to end at once."""
        if number == signal.SIGHUP:
            if not self._is_draining:
                self._reload()
            return False
        if self._is_draining:
            return True
        self._is_draining = True
        self._front.drain()
        return False

    def _newest(self) -> Service:
        return next(reversed(self._services.values()))

    def _renew(self) -> None:
        """What makes replicas has ended, and with it those that it made: serve with others.

        Raises:
            CordError: That cannot be; the server ends.
        """
        _say("replicas are started again")
        try:
            self._serve(self._read())
        except OSError as error:
            raise CordError(f"it cannot be started again: {_reason(error)}") from None
        except KeyboardInterrupt:
            pass  # it is to end

    def _reload(self) -> None:
        try:
            before = self._newest().http
            plan = self._read()
            service = self._serve(plan)
        except (CordError, OSError) as error:
            _say(f"not reloaded, what was served goes on: {error}")
            return
        except KeyboardInterrupt:
            _say("not reloaded, as it is to end")
            return
        assert plan.http is not None
        _say(f"reloaded ({counted(len(plan.http.routes), 'route')})")
        _say_all(service.notes())
        for key in ("bind", "admin"):
            if getattr(plan.http, key) != getattr(before, key):
                _say(f"{key} is {getattr(before, key)} until it is started anew")

    def _print(self) -> None:
        """Write what calls have printed, and end the replicas that nobody needs."""
        while (event := self._front.next_event()) is not None:
            if isinstance(event, bytes):
                _write(replay, event)
            elif event in self._services:
                self._services.pop(event).close()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                _write(_flush, stream)


def _flush(stream: IO[str]) -> None:
    """Write out what a stream holds back; nowhere from now on, if nobody reads it any more."""
    try:
        stream.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # else the same would be tried at the end, and fail
        os.close(nowhere)
        stream.flush()


def _write(write: Callable[..., object], *values: object) -> None:
    """Write; where nobody reads any more, requests are served as ever."""
    with suppress(OSError, ValueError):
        write(*values)


def _say(text: str) -> None:
    if sys.stderr is not None:
        _write(sys.stderr.write, f"cord: {text}\n")
        _write(sys.stderr.flush)


def _say_all(notes: list[str]) -> None:
    for note in notes:
        _say(f"warning: {note}")
