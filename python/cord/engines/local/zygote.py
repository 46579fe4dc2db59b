"""The zygote: a small process, forked before the client has threads, that forks the replicas.

It is a child of the client, but one that the program does not come across: it ends without SIGCHLD,
and `os.wait()` passes it over.

It inherits interpreter, flags, hash seed, environment and `sys.path`, so a replica begins as the
client began. It and its replicas form a session of their own: what a terminal sends to the client
(Ctrl-C, hang-up) does not reach them, and a read from the terminal fails instead of stopping them.

They end with the client however it ends. The control socket's end of file says so, and a descriptor
of the client's process says so even while a forked child of the client holds the socket open.
"""

from __future__ import annotations

import _socket
import atexit
import fcntl
import gc
import os
import sys
import time

from cord import _core
from cord.engines.local.ledger import ANEW, BEGUN, ENDED, OUTPUT, Ledger
from cord.runtime.travel import loaded

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import Final, NoReturn

    from cord.plan.model import RemotePlan
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

# Linux: wait for children of every kind, those that send no SIGCHLD too.
WALL: Final = 0x40000000

# The exit code of processes that end for a reason of Cord's own, as sysexits.h has it.
EXIT_SOFTWARE: Final = 70

ENDING_SIGNALS: Final = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT)
# What a terminal sends to all that runs in it.
TERMINAL_SIGNALS: Final = (_signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT)
HANDLED_SIGNALS: Final = (*ENDING_SIGNALS, _signal.SIGCHLD)


class Zygote:
    """The client's side of the zygote.

    Attributes:
        pid: Process id of the zygote, leader of its process group.
        control: This side's file descriptor of the control socket; who takes it, closes it.

    Args:
        pid: Process id of the zygote.
        control: The descriptor.
        ledger: What replicas say of what is left; None where they say nothing.
    """

    __slots__ = ("_client", "_is_heir", "_is_told", "_ledger", "_running", "control", "pid")

    def __init__(self, pid: int, control: int, ledger: Ledger | None = None) -> None:
        self.pid = pid
        self.control = control
        fcntl.fcntl(control, fcntl.F_SETOWN, pid)  # so the session knows whose end it leads to
        self._ledger = ledger
        self._client = os.getpid()
        self._is_heir = False
        self._is_told = False
        self._running: dict[int, int] = {}  # by replica: threads that are waited for

    def close(self) -> None:
        """End the zygote and all replicas, and wait until they are gone. May be called twice."""
        if self._tell():
            self._wait(0)
            self._hear()

    def has_heir(self) -> bool:
        """Whether, since the last time, another process makes replicas than before."""
        before = self.pid
        self._hear()
        return self.pid != before

    def wait_for_threads(self) -> None:
        """Wait for threads of remote functions that the interpreter's end would wait for."""
        while self._hear():
            time.sleep(0.001)

    def _hear(self) -> bool:
        """Show what was written after the last replies; whether threads run that are waited for."""
        if self._ledger is None or os.getpid() != self._client:  # a forked child
            return False
        for kind, pid, written in self._ledger.news():
            if kind == OUTPUT:
                from contextlib import suppress  # rarely needed

                from cord.runtime.io.output import replay

                with suppress(OSError, ValueError):  # as in a thread of the program's: it goes on
                    replay(written)
            elif kind == ANEW:
                self._wait(os.WNOHANG)
                clear_views(self.pid)
                self.pid, self._is_heir = pid, True
            else:
                change = {BEGUN: 1, ENDED: -1}[kind]
                self._running[pid] = self._running.get(pid, 0) + change
        return any(
            count > 0 and os.path.exists(f"/proc/{pid}") for pid, count in self._running.items()
        )

    def _is_anything_left(self) -> bool:
        if self._ledger is None or os.getpid() != self._client:
            return False
        if not self._ledger.is_empty():
            return True
        try:
            from cord.engines.local.heirs import are_there_any  # not on the way to a first call
        except OSError:  # there is no room for descriptors
            return True
        return are_there_any(self.pid)

    def close_meanwhile(self) -> None:
        """The same, while the interpreter comes to its end: it is waited for after that.

        Where functions have left something running, it is waited for here.
        """
        if self._is_anything_left():
            self.close()
        elif self._tell() and not _core.wait_at_end(self.pid):
            self._wait(0)

    def _tell(self) -> bool:
        """Tell the zygote to end; whether it has not been reaped before."""
        self._hear()
        if not self._wait(os.WNOHANG):
            if not self._is_told and os.getpid() == self._client:
                self._is_told = True
                clear_views(self.pid)  # it was killed
            return False
        self._is_told = True
        try:
            os.kill(self.pid, _signal.SIGTERM)
            os.kill(self.pid, _signal.SIGCONT)
        except (
            PermissionError
        ):  # the program is another user's now: it ends with the session's links
            pass
        return True

    def _wait(self, options: int) -> bool:
        """Reap the zygote, if it has ended; whether it has not."""
        if self._is_heir:  # no child of this process
            from cord.ready import ready  # rarely needed

            try:
                process = os.pidfd_open(self.pid)
            except OSError:
                return False
            has_ended = ready([process], 0 if options else None)
            os.close(process)
            return not has_ended
        try:
            return os.waitpid(self.pid, options | WALL)[0] == 0
        except ChildProcessError:
            return False  # by an earlier call, or this is a forked child of the client


def clear_views(zygote: int) -> None:
    """Remove views of the working folder of calls that were ended (`scratch.rs`)."""
    folder = os.environ.get("TMPDIR") or "/tmp"
    try:
        for name in os.listdir(folder):
            if name.startswith(f"cord-view-{zygote}-"):
                from shutil import rmtree  # rarely needed

                rmtree(os.path.join(folder, name), ignore_errors=True)
    except OSError:
        return  # it cannot be read


def start(
    modules: list[RemotePlan],
    path: list[str] | None = None,
    beside: Callable[[bytes], None] | None = None,
) -> Zygote:
    """Fork the zygote. Call it before this process has a second thread.

    Replicas see `sys.argv` as it is now. At exit the zygote is ended and reaped,
    after all that the program itself registers with `atexit`. Replicas that keep no state do
    nothing more then, and the interpreter need not wait for their processes to go.

    Args:
        modules: The remote modules; a launch message names one by its index.
        path: `sys.path` as replicas see it; None for this process's. What the zygote itself needs
            it imports first: in a program's folder there may be modules named as the library's.
        beside: Does what the client may ask for by a message, in a process of its own.

    Returns:
        The client's side, which holds the control socket.

    Raises:
        OSError: The system has no room for another process or socket.
    """
    search = sys.path if path is None else path
    loaded.begin()

    def become(control: int, client: int, mask: set[int]) -> None:
        run(modules, client, control, mask, search, beside)

    return fork(modules, become)


def fork(modules: list[RemotePlan], become: Callable[[int, int, set[int]], None]) -> Zygote:
    """Fork what makes replicas, or leads to them. Call it before this process has a second thread.

    Args:
        modules: The remote modules.
        become: Is it, in the child, and does not return: given its end of the control socket, the
            process id of the client, and the signals to be blocked.

    Returns:
        The client's side; it is closed at exit.

    Raises:
        OSError: The system has no room for another process or socket.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()  # or the text that is waiting in them would be written twice
    zygote = _fork(become)
    # Reaped by its parent, or it stays a zombie on machines whose init reaps nobody. (In a forked
    # child of the client this does nothing: the zygote is not its child.)
    pure = all(module.is_pure for module in modules)
    atexit.register(zygote.close_meanwhile if pure else zygote.close)
    return zygote


def fork_midway(
    modules: list[RemotePlan], own: dict[str, str], path: list[str], blocked: set[int]
) -> Zygote:
    """Fork the zygote from a program that runs already, in the midst of it.

    The remote modules are in replicas what they are in the program at this moment. The program must
    have one thread only that runs Python, all modules must be pure, and `settings.begin` was called
    before the program began.

    Args:
        modules: The remote modules.
        own: The files of the project's modules, by their names.
        path: `sys.path` as replicas see it.
        blocked: The signals that the program itself blocks: now they may all be.

    Returns:
        The client's side. Who takes it closes it.

    Raises:
        OSError: The system has no room for another process or socket.
        Untold: The program has set something that replicas cannot be told.
    """
    from cord.runtime.travel import settings

    loaded.begin()
    for name, file in own.items():
        loaded.add(name, file)
    _core.suspect_settings()  # all that the program has set travels; replicas begin without it
    told = settings.read()

    def become(control: int, client: int, _mask: set[int]) -> None:
        from _contextvars import Context

        settings.enter(told)
        settings.enter({})
        loaded.adopted.update(module.module for module in modules)
        loaded.executed.update(dict.fromkeys(own, 1))
        # without the program's frames, and with context variables as they are at first
        _core.call_apart(Context().run, run, modules, client, control, blocked, path)

    return _fork(become, lets_go=True)


def _fork(become: Callable[[int, int, set[int]], None], *, lets_go: bool = False) -> Zygote:
    ours, theirs = control_pair()
    ledger = Ledger.make()
    client = os.getpid()
    # A signal between fork and the child's own handlers would run the client's code there.
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, HANDLED_SIGNALS)
    try:
        pid = _core.fork_unseen()
        if pid == 0:
            try:
                os.close(ours)
                if lets_go:
                    _let_go({theirs, ledger.fd})
                belong_to(ledger)
                become(theirs, client, mask)
            finally:  # where there is no room: this process must not go on as the program
                os._exit(EXIT_SOFTWARE)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
    os.close(theirs)
    return Zygote(pid, ours, ledger)


def _let_go(kept: set[int]) -> None:
    """Hold none of the program's pipes and sockets: who is at their other ends waits for their end.

    Their numbers stay taken, for there are objects of the program's that have them. Files are
    opened anew, so that the place in them is this process's own.

    Args:
        kept: The descriptors of Cord's own, besides the standard ones.
    """
    import stat

    null = os.open(os.devnull, os.O_RDWR)
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd <= 2 or fd == null or fd in kept:
            continue
        try:
            is_file = stat.S_ISREG(os.fstat(fd).st_mode)
        except OSError:  # that of the listing itself, which is closed by now
            continue
        if not (is_file and _open_anew(fd)):
            os.dup2(null, fd, inheritable=False)
    os.close(null)


def _open_anew(fd: int) -> bool:
    """Have a file by itself that is open together with the program; whether that is possible."""
    how = fcntl.fcntl(fd, fcntl.F_GETFL) & (os.O_ACCMODE | os.O_APPEND)
    try:
        anew = os.open(f"/proc/self/fd/{fd}", how)
    except OSError:  # it may not be opened any more
        return False
    os.lseek(anew, os.lseek(fd, 0, os.SEEK_CUR), os.SEEK_SET)
    os.dup2(anew, fd, inheritable=False)
    os.close(anew)
    return True


def belong_to(ledger: Ledger) -> None:
    """Let the replicas that this process makes say what is left in a client's ledger."""
    from cord.engines.local.endings import run as whole  # not in the client

    whole.ledger = ledger
    whole.keep_outs()


def control_pair() -> tuple[int, int]:
    """The client's and the zygote's end of a new control socket."""
    pair = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    first, second = (_above_stdio(end.detach()) for end in pair)
    return first, second


def _above_stdio(fd: int) -> int:
    """Move a descriptor away from 0 to 2, where it lands if the client was started without them."""
    outgrown = []
    while fd <= 2:
        outgrown.append(fd)
        fd = os.dup(fd)
    for low in outgrown:
        os.close(low)
    return fd


def run(
    modules: list[RemotePlan],
    client: int,
    control: int,
    mask: set[int],
    path: list[str],
    beside: Callable[[bytes], None] | None = None,
    *,
    lasting: bool = False,
) -> NoReturn:
    """Be the zygote. Never returns into the client's code, whatever happens.

    Args:
        modules: The remote modules.
        client: Process id of the client, the parent.
        control: This side's descriptor of the control socket.
        mask: The signals to be blocked.
        path: `sys.path` as replicas see it.
        beside: Does what the client may ask for besides.
        lasting: Whether replicas are for programs that come and go.
    """
    crash = None
    try:
        crash = _duplicate_stderr()
        collects = gc.isenabled()
        gc.disable()  # to look for garbage would copy every page that is shared with the client
        from cord.engines.local.server import Server  # not in the client

        sys.path[:] = path
        if any(remote.is_served for remote in modules):
            _import_web()
        Server(modules, client, control, crash, mask, collects, beside, lasting=lasting).serve()
    except BaseException as exc:
        report_crash(crash, "the process that starts replicas", exc)
    finally:
        os._exit(EXIT_SOFTWARE)


def _import_web() -> None:
    """Import once what answers requests: each of many replicas would take as long for it."""
    from contextlib import suppress

    with suppress(ImportError):  # the replica that needs it says so
        import cord.web.requests  # noqa: F401


def _duplicate_stderr() -> _core.Descriptor | None:
    try:
        return _core.Descriptor(os.dup(2))
    except OSError:
        return None


def report_crash(crash: _core.Descriptor | None, what: str, exc: BaseException) -> None:
    """Show an error of Cord's own on the client's stderr.

    Args:
        crash: Descriptor to write to, or None if the client has no stderr.
        what: The process that fails.
        exc: Why.
    """
    from traceback import format_exception  # slow to import, needed only here

    text = f"cord: internal error in {what}\n" + "".join(format_exception(exc))
    if crash is not None:
        try:
            crash.write(text.encode(errors="backslashreplace"))
        except OSError:
            return  # the client's stderr is gone; its exit status still tells
