"""The zygote: a small process, forked before the client has threads, that forks the replicas.

It is a child of the client, but one that the program does not come across: it ends without SIGCHLD,
and `os.wait()` passes it over.

It inherits interpreter, flags, hash seed, environment and `sys.path`, so a replica begins as the
client began. It and its replicas form a session of their own: what a terminal sends to the client
(Ctrl-C, hang-up) does not reach them, and a read from the terminal fails instead of stopping them.

They end with the client however it ends. The control socket's end of file says so, and the
kernel's parent death signal says so even while a forked child of the client holds the socket open.
"""

from __future__ import annotations

import _socket
import atexit
import gc
import os
import select
import sys
import time

from cord import _core

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from types import FrameType
    from typing import Final, NoReturn

    from cord.engines.local.replica import ClientStreams
    from cord.plan.model import RemotePlan
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

LAUNCH: Final = b"L"
STARTED: Final = b"S"
EXITED: Final = b"X"
FD_SIZE: Final = 4
MESSAGE_SIZE: Final = 64

# Linux: wait for children of every kind, those that send no SIGCHLD too.
WALL: Final = 0x40000000

# Seconds in which an idle replica says that it comes to its end, and which that may take.
GRACE: Final = 1.0
LONGEST_END: Final = 10.0

# Exit codes of processes that end for a reason of Cord's own, as sysexits.h has them.
EXIT_SOFTWARE: Final = 70
EXIT_OSERR: Final = 71

ENDING_SIGNALS: Final = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT)
HANDLED_SIGNALS: Final = (*ENDING_SIGNALS, _signal.SIGCHLD)


class Zygote:
    """The client's side of the zygote.

    Attributes:
        pid: Process id of the zygote, leader of its process group.
        control: This side's file descriptor of the control socket; who takes it, closes it.
    """

    __slots__ = ("control", "pid")

    def __init__(self, pid: int, control: int) -> None:
        self.pid = pid
        self.control = control

    def close(self) -> None:
        """End the zygote and all replicas, and wait until they are gone. May be called twice."""
        if self._tell():
            self._wait(0)

    def close_meanwhile(self) -> None:
        """The same, while the interpreter comes to its end: it is waited for after that."""
        if self._tell() and not _core.wait_at_end(self.pid):
            self._wait(0)

    def _tell(self) -> bool:
        """Tell the zygote to end; whether it has not been reaped before."""
        if not self._wait(os.WNOHANG):
            return False
        os.kill(self.pid, _signal.SIGTERM)
        os.kill(self.pid, _signal.SIGCONT)
        return True

    def _wait(self, options: int) -> bool:
        """Reap the zygote, if it has ended; whether it has not."""
        try:
            return os.waitpid(self.pid, options | WALL)[0] == 0
        except ChildProcessError:
            return False  # by an earlier call, or this is a forked child of the client


def start(modules: list[RemotePlan]) -> Zygote:
    """Fork the zygote. Call it before this process has a second thread.

    Replicas see `sys.argv` and `sys.path` as they are now. At exit the zygote is ended and reaped,
    after all that the program itself registers with `atexit`. Replicas that keep no state do
    nothing more then, and the interpreter need not wait for their processes to go.

    Args:
        modules: The remote modules; a launch message names one by its index.

    Returns:
        The client's side, which holds the control socket.

    Raises:
        OSError: The system has no room for another process or socket.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()  # or the text that is waiting in them would be written twice
    ours, theirs = control_pair()
    client = os.getpid()
    # A signal between fork and the zygote's own handlers would run the client's code there.
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, HANDLED_SIGNALS)
    try:
        pid = _core.fork_unseen()
        if pid == 0:
            os.close(ours)
            run(modules, client, theirs, mask)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
    os.close(theirs)
    zygote = Zygote(pid, ours)
    # Reaped by its parent, or it stays a zombie on machines whose init reaps nobody. (In a forked
    # child of the client this does nothing: the zygote is not its child.)
    pure = all(module.is_pure for module in modules)
    atexit.register(zygote.close_meanwhile if pure else zygote.close)
    return zygote


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


def run(modules: list[RemotePlan], client: int, control: int, mask: set[int]) -> NoReturn:
    """Be the zygote. Never returns into the client's code, whatever happens.

    Args:
        modules: The remote modules.
        client: Process id of the client, the parent.
        control: This side's descriptor of the control socket.
        mask: The signals to be blocked.
    """
    crash = -1
    try:
        crash = _duplicate_stderr()
        Server(modules, client, control, crash, mask).serve()
    except BaseException as exc:
        report_crash(crash, "the process that starts replicas", exc)
    finally:
        os._exit(EXIT_SOFTWARE)


def _duplicate_stderr() -> int:
    try:
        return _above_stdio(os.dup(2))
    except OSError:
        return -1


def report_crash(crash: int, what: str, exc: BaseException) -> None:
    """Show an error of Cord's own on the client's stderr.

    Args:
        crash: Descriptor to write to, or -1 if the client has no stderr.
        what: The process that fails.
        exc: Why.
    """
    from traceback import format_exception  # slow to import, needed only here

    text = f"cord: internal error in {what}\n" + "".join(format_exception(exc))
    if crash >= 0:
        try:
            os.write(crash, text.encode(errors="backslashreplace"))
        except OSError:
            return  # the client's stderr is gone; its exit status still tells


class Server:
    """The zygote's own side: forks a replica per launch message and reports what ends.

    Args:
        modules: The remote modules.
        client: Process id of the client, the parent.
        control: This side's descriptor of the control socket.
        crash: Descriptor for internal errors, or -1.
        mask: Signals that the client had blocked.
    """

    def __init__(
        self, modules: list[RemotePlan], client: int, control: int, crash: int, mask: set[int]
    ) -> None:
        from cord.engines.local.replica import ClientStreams  # not in the client

        self._modules = modules
        self._client = client
        self._control = _socket.socket(fileno=control)
        self._crash = crash
        self._mask = mask
        self._children: dict[int, int] = {}  # process id -> replica id
        self._streams: ClientStreams = ClientStreams()
        self._handlers = {signal: _signal.getsignal(signal) for signal in HANDLED_SIGNALS}
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        # replicas whose modules keep state, and where they say that they come to their end
        self._keepers: set[int] = set()
        self._notice_read, self._notice_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._settle(client)

    def _settle(self, client: int) -> None:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        if null > 2:
            os.close(null)
        _signal.set_wakeup_fd(self._wake_write)
        for signal in ENDING_SIGNALS:
            _signal.signal(signal, self._on_ending_signal)
        _signal.signal(_signal.SIGCHLD, _do_nothing)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self._mask)
        _core.set_parent_death_signal(_signal.SIGTERM)
        if os.getppid() != client:
            self._end()
        _core.set_process_name("cord")
        self._collects = gc.isenabled()
        gc.disable()
        gc.freeze()  # collections in replicas leave the pages alone that they share

    def serve(self) -> NoReturn:
        """Start replicas until the client is gone, then end them and this process."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self._wake_read:
                    os.read(self._wake_read, 512)
                    self._reap()
                else:
                    self._receive()

    def _receive(self) -> None:
        try:
            message, ancillary, _, _ = self._control.recvmsg(
                MESSAGE_SIZE, _socket.CMSG_SPACE(FD_SIZE), _socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionError:
            self._client_has_gone()
        if not message:
            self._client_has_gone()
        ((_, _, data),) = ancillary
        assert message[:1] == LAUNCH, message
        index = int.from_bytes(message[1:5], "little")
        replica = int.from_bytes(message[5:9], "little")
        slot = int.from_bytes(message[9:13], "little")
        link = int.from_bytes(data[:FD_SIZE], sys.byteorder)
        self._launch(index, replica, slot, link)

    def _launch(self, index: int, replica: int, slot: int, link: int) -> None:
        zygote = os.getpid()
        try:
            pid = os.fork()
        except OSError:
            os.close(link)
            self._send(EXITED + _u32(replica) + _i32(EXIT_OSERR << 8))
            return
        if pid == 0:
            self._become_replica(index, slot, zygote, link)
        os.close(link)
        self._children[pid] = replica
        if not self._modules[index].is_pure:
            self._keepers.add(pid)
        self._send(STARTED + _u32(replica) + _u32(pid))

    def _become_replica(self, index: int, slot: int, zygote: int, link: int) -> NoReturn:
        """Be a replica. Never returns into the zygote's loop, whatever happens."""
        try:
            _core.set_parent_death_signal(_signal.SIGKILL)
            if os.getppid() != zygote:
                os._exit(EXIT_SOFTWARE)
            _signal.set_wakeup_fd(-1)
            for signal, handler in self._handlers.items():
                _signal.signal(signal, _signal.SIG_DFL if handler is None else handler)
            self._control.close()
            os.close(self._wake_read)
            os.close(self._wake_write)
            if self._collects:
                gc.enable()
            from cord.engines.local import replica  # not in the client

            replica.run(self._modules, index, slot, link, self._client, self._streams)
            if not self._modules[index].is_pure:
                os.write(self._notice_write, b"e")
                replica.end_as_python_does()
            os._exit(0)
        except KeyboardInterrupt:  # somebody sent SIGINT to a replica between two calls
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
            os.kill(os.getpid(), _signal.SIGINT)
        except BaseException as exc:
            report_crash(self._crash, f"a replica of {self._modules[index].module}", exc)
        finally:
            os._exit(EXIT_SOFTWARE)

    def _reap(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            replica = self._children.pop(pid)
            self._keepers.discard(pid)
            self._send(EXITED + _u32(replica) + _i32(status))

    def _send(self, message: bytes) -> None:
        try:
            self._control.send(message)
        except ConnectionError:
            self._end()

    def _on_ending_signal(self, _signal_number: int, _frame: FrameType | None) -> None:
        if os.getppid() == self._client:  # it has come to its end, and was not killed
            self._let_end()
        self._end()

    def _client_has_gone(self) -> NoReturn:
        """The control socket is closed: the client ends, and its signal follows, or was killed."""
        until = time.monotonic() + GRACE
        while os.getppid() == self._client and time.monotonic() < until:
            time.sleep(0.001)
        self._end()

    def _let_end(self) -> None:
        """Wait for idle replicas that keep state: they flush files and call exit functions."""
        soon, at_last = time.monotonic() + GRACE, time.monotonic() + LONGEST_END
        noticed = ended = 0
        while self._keepers and time.monotonic() < (at_last if noticed > ended else soon):
            noticed += _waiting_bytes(self._notice_read)
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return  # a signal came in the midst of reaping
            self._children.pop(pid, None)
            if pid in self._keepers:
                self._keepers.discard(pid)
                ended += 1
            elif pid == 0:
                time.sleep(0.001)

    def _end(self) -> NoReturn:
        for signal in ENDING_SIGNALS:
            _signal.signal(signal, _signal.SIG_IGN)
        try:
            for pid in self._children:
                os.kill(pid, _signal.SIGKILL)
            for pid in self._children:
                os.waitpid(pid, 0)  # reaped here: not every machine's init reaps orphans
        except OSError:
            pass  # a signal came in the midst of reaping, and this one is already reaped
        finally:
            os.killpg(0, _signal.SIGKILL)  # and what remote functions started, and this process
            os._exit(EXIT_SOFTWARE)


def _waiting_bytes(fd: int) -> int:
    try:
        return len(os.read(fd, 512))
    except BlockingIOError:
        return 0


def _do_nothing(_signal_number: int, _frame: FrameType | None) -> None:
    """Handle SIGCHLD: only a handled signal writes to the wake-up descriptor."""


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _i32(number: int) -> bytes:
    return number.to_bytes(4, "little", signed=True)
