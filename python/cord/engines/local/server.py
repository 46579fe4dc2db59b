"""The zygote's own side: forks a replica per launch message and reports what ends."""

from __future__ import annotations

import _socket
import errno
import gc
import os
import select
import time
from contextlib import contextmanager, suppress

from cord import _core
from cord.engines.local import control, endings, heirs, memory, twins
from cord.engines.local.ledger import ANEW
from cord.engines.local.processes import Processes
from cord.engines.local.replica import ClientStreams, end_as_python_does
from cord.engines.local.replica import run as run_replica
from cord.engines.local.stopped import EVERY, Stopped
from cord.engines.local.zygote import (
    ENDING_SIGNALS,
    EXIT_SOFTWARE,
    HANDLED_SIGNALS,
    TERMINAL_SIGNALS,
    clear_views,
    report_crash,
)
from cord.ready import ready

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Final, NoReturn

    from cord.plan.model import RemotePlan
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

# Seconds in which an idle replica says that it comes to its end, and which that may take.
GRACE: Final = 1.0
LONGEST_END: Final = 10.0

# By how much what is done beside is nicer than all else.
NICER: Final = 5


# Seconds after which a zygote has an heir, which most programs end before.
PATIENCE: Final = 0.5
# What is said where that one takes its place.
SUCCEEDS: Final = (
    b"cord: the process of Cord's that starts replicas was ended, and they with it; "
    b"it is started again\n"
)

# By how much, from 0 to 1000, the kernel takes a replica first where it must end something.
GOES_FIRST: Final = 500


class Server:
    """The zygote's own side: forks a replica per launch message and reports what ends.

    Args:
        modules: The remote modules.
        client: Process id of the client, the parent.
        control: This side's descriptor of the control socket.
        crash: Descriptor for internal errors, or None.
        mask: Signals that the client had blocked.
        collects: Whether the client collects garbage.
        beside: Does what the client asks for that is no replica's work.
        lasting: Whether replicas are for programs that come and go.
    """

    def __init__(
        self,
        modules: list[RemotePlan],
        client: int,
        control: int,
        crash: _core.Descriptor | None,
        mask: set[int],
        collects: bool,
        beside: Callable[[bytes], None] | None,
        *,
        lasting: bool = False,
    ) -> None:
        self._modules = modules
        self._client = client
        self._client_fd = _watch(client)
        self._control = _socket.socket(fileno=control)
        self._crash = crash
        self._mask = mask
        # process id -> replica id, None for what is done beside
        self._children: dict[int, int | None] = {}
        self._beside = beside
        self._lasting = lasting
        self._collects = collects
        self._streams = ClientStreams()
        self._handlers = {signal: _signal.getsignal(signal) for signal in HANDLED_SIGNALS}
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._serves: dict[int, int] = {}  # by process of a replica: its module
        self._stopped = Stopped()
        self._memory = memory.Memory()
        # by module, the replicas that are to be copies of its first; and modules by descriptor
        self._twins: dict[int, twins.Twins] = {}
        self._by_socket: dict[int, int] = {}
        # those that serve several replicas each, in threads
        self._processes = Processes()
        # processes that have ended before it was known what they are, and how
        self._strangers: dict[int, int] = {}
        self._poll = select.poll()
        self._heir: int | None = None
        self._heir_at = time.monotonic() + PATIENCE
        self._notice_read, notice_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._leaving = heirs.Leaving(self._notice_read, self._reap_ended)
        endings.run.notice = _core.Descriptor(notice_write)
        self._settle()

    def _settle(self) -> None:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        if null > 2:
            os.close(null)
        for signal in TERMINAL_SIGNALS:
            _signal.signal(signal, _signal.SIG_IGN)  # what came before `setsid` was not for us
        _signal.set_wakeup_fd(self._wake_write)
        for signal in ENDING_SIGNALS:
            _signal.signal(signal, self._on_ending_signal)
        _signal.signal(_signal.SIGCHLD, _do_nothing)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self._mask)
        if not self._has_client():
            self._end()
        _core.set_process_name("cord")
        gc.freeze()  # collections in replicas leave the pages alone that they share

    def serve(self) -> NoReturn:
        """Start replicas until the client is gone, then end them and this process."""
        self._poll.register(self._control, select.POLLIN)
        self._poll.register(self._wake_read, select.POLLIN)
        if self._client_fd >= 0:
            self._poll.register(self._client_fd, select.POLLIN)
        every = memory.EVERY if any(plan.memory for plan in self._modules) else EVERY
        while True:
            if self._heir is None and self._client_fd >= 0 and time.monotonic() > self._heir_at:
                self._have_an_heir()
            for fd, _ in self._poll.poll((every if self._heir else PATIENCE) * 1000):
                if fd == self._wake_read:
                    os.read(self._wake_read, 512)
                    self._reap()
                elif fd in self._by_socket:
                    self._hear_of_twins(self._by_socket[fd])
                elif fd == self._client_fd:
                    self._client_has_gone()
                else:
                    self._receive()
            for pid in self._stopped.look(self._patience):
                _kill(pid)
            for one in self._memory.look(self._limits()):
                self._end_for_memory(one)

    def _has_client(self) -> bool:
        if self._client_fd >= 0:
            return not ready([self._client_fd], 0)
        return os.getppid() == self._client

    def _have_an_heir(self) -> None:
        """Have a process at hand that does what this one does, should somebody end it."""
        zygote = os.getpid()
        with suppress(OSError), _held_back():
            self._heir = os.fork()
        self._heir_at = time.monotonic() + PATIENCE
        if self._heir != 0:
            return
        try:
            try:
                before = os.pidfd_open(zygote)
                client = os.dup(self._client_fd)
                control = os.dup(self._control.fileno())
            except OSError:  # there is no room for descriptors: perhaps later
                os._exit(0)
            self._let_go()
            _core.set_process_name("cord heir")
            if os.getppid() == zygote:
                while not (ended := ready([before, client])):
                    continue
                if client in ended:
                    return
            os.close(before)
            os.close(client)
            self._succeed(control)
        except BaseException as exc:
            report_crash(self._crash, "the process that starts replicas", exc)
        finally:
            os._exit(EXIT_SOFTWARE)

    def _succeed(self, control_fd: int) -> NoReturn:
        """Take the place of the zygote, with which its replicas have ended."""
        if endings.run.ledger is not None:
            endings.run.ledger.add(ANEW)
        gc.disable()
        new = Server(
            self._modules,
            self._client,
            control_fd,
            self._crash,
            self._mask,
            self._collects,
            self._beside,
            lasting=self._lasting,
        )
        new._send(control.ANEW)
        if self._crash is not None:
            with suppress(OSError):
                self._crash.write(SUCCEEDS)
        new.serve()

    def _patience(self) -> Iterator[tuple[int, float]]:
        """The processes of replicas and templates, with the seconds that they may be stopped."""
        serves = self._serving()
        for index, others in self._twins.items():
            if others.template is not None:
                serves.append((others.template, index))
            elif others.socket.fileno() >= 0:  # one that is to be may not have said so yet
                strangers = (
                    set(heirs.children_of(os.getpid())) - self._children.keys() - {self._heir}
                )
                serves += [(pid, index) for pid in strangers]
        return ((pid, self._modules[index].silence) for pid, index in serves)

    def _limits(self) -> Iterator[tuple[int, int]]:
        """The processes of replicas whose memory is limited, with how much they may have."""
        for pid, index in self._serving():
            limit = self._modules[index].memory
            if limit is not None:
                yield pid, limit

    def _serving(self) -> list[tuple[int, int]]:
        """The processes of replicas, each with its module."""
        serves = list(self._serves.items())
        for index, others in self._twins.items():
            serves += [(pid, index) for pid in others.pids()]
        return serves

    def _end_for_memory(self, one: memory.Beyond) -> None:
        """End a replica, and what it has forked; the client is told why before it hears of that."""
        replica = self._children.get(one.pid)
        replicas = self._processes.replicas_of(one.pid) if replica is None else [replica]
        for others in self._twins.values():
            replicas = replicas or others.replicas_of(one.pid)
        for each in replicas:
            self._send(control.message(control.BEYOND, each, one.peak >> 10, one.limit >> 10))
        for pid in (one.pid, *one.family):
            _kill(pid)

    def _receive(self) -> None:
        try:
            message, link = control.receive_with_descriptor(self._control)
        except ConnectionError:
            self._client_has_gone()
        if not message:
            self._client_has_gone()
        if message[:1] == control.BESIDE:
            self._do_beside(message[1:])
            return
        assert message[:1] == control.LAUNCH, message
        index, replica, slot = control.numbers(message)
        others = self._twins.get(index)
        if self._lasting:
            self._launch(index, replica, slot, link)
        elif self._modules[index].threads > 1:
            self._launch_thread(index, replica, slot, link)
        elif others is not None and others.takes():
            others.hold(replica, slot, link)
        elif others is None and twins.may_be(self._modules[index], len(self._modules)):
            self._launch_first(index, replica, slot, link)
        else:
            self._launch(index, replica, slot, link)

    def _launch_first(self, index: int, replica: int, slot: int, link: int) -> None:
        """Start the replica that the others of its module are to be copies of."""
        ours, theirs = twins.pair()
        self._twins[index] = others = twins.Twins(ours)
        self._by_socket[ours.fileno()] = index
        self._poll.register(ours, select.POLLIN)
        others.first = self._launch(index, replica, slot, link, theirs)
        theirs.close()

    def _hear_of_twins(self, index: int) -> None:
        others = self._twins[index]
        message = others.receive()
        if message[:1] == control.TEMPLATE:
            if others.template not in self._strangers:
                self._children[others.template] = None  # type: ignore[index]
        elif message:
            self._send(message)
        else:
            self._end_of_twins(index, others)

    def _end_of_twins(self, index: int, others: twins.Twins) -> None:
        """There is no template, or it has ended."""
        fd = others.socket.fileno()
        self._poll.unregister(fd)
        del self._by_socket[fd]
        if others.template is not None:
            for message in others.lost():
                self._send(message)
            return
        others.socket.close()
        while others.held:
            replica, (slot, link) = others.held.popitem()
            self._launch(index, replica, slot, link)

    def _launch(
        self, index: int, replica: int, slot: int, link: int, own: _socket.socket | None = None
    ) -> int | None:
        zygote = os.getpid()
        try:
            with _held_back():
                pid = os.fork()
                if pid != 0:
                    self._children[pid] = replica
                    self._serves[pid] = index
        except OSError as exc:
            os.close(link)
            self._send(control.message(control.FAILED, replica, exc.errno or errno.EAGAIN))
            return None
        if pid == 0:
            self._become_replica(index, slot, zygote, link, own)
        os.close(link)
        self._send(control.message(control.STARTED, replica, pid))
        return pid

    def _launch_thread(self, index: int, replica: int, slot: int, link: int) -> None:
        """Start a replica that is a thread: in the process of its place, which may be there."""
        key = index, slot // self._modules[index].threads
        before = self._processes.pid_of(key)
        pid = self._processes.hand(key, replica, link)
        if pid is not None:
            os.close(link)
            self._send(control.message(control.STARTED, replica, pid))
            return
        if before is not None:
            self._note_end(*os.waitpid(before, 0))
        ours, theirs = self._processes.pair()
        pid = self._launch(index, replica, slot, link, theirs)
        theirs.close()
        if pid is None:
            ours.close()
        else:
            self._children[pid] = None
            self._processes.add(key, pid, ours, replica)

    def _keeps(self, index: int) -> bool:
        """Whether replicas of a module keep state, so that they come to an end of their own."""
        return self._lasting or not self._modules[index].is_pure

    def _do_beside(self, what: bytes) -> None:
        """Do something that no call waits for, in a process of its own."""
        zygote = os.getpid()
        try:
            with _held_back():
                pid = os.fork()
                if pid != 0:
                    self._children[pid] = None
        except OSError:
            return
        if pid != 0:
            return
        try:
            self._leave(zygote)
            os.nice(NICER)
            assert self._beside is not None
            self._beside(what)
        finally:
            os._exit(0)

    def _leave(self, zygote: int) -> None:
        """Be no zygote any more, in a process that it has forked."""
        _core.set_parent_death_signal(_signal.SIGKILL)
        if os.getppid() != zygote:
            os._exit(EXIT_SOFTWARE)
        _go_first()
        self._let_go()

    def _let_go(self) -> None:
        """Let go of what is the zygote's alone."""
        _signal.set_wakeup_fd(-1)
        for signal, handler in self._handlers.items():
            _signal.signal(signal, _signal.SIG_DFL if handler is None else handler)
        self._control.close()
        os.close(self._wake_read)
        os.close(self._wake_write)
        os.close(self._notice_read)
        for others in self._twins.values():
            others.socket.close()
            others.close_held()
        self._processes.close()
        if self._client_fd >= 0:
            os.close(self._client_fd)
        if self._collects:
            gc.enable()

    def _become_replica(
        self, index: int, slot: int, zygote: int, link: int, own: _socket.socket | None
    ) -> NoReturn:
        """Be a replica. Never returns into the zygote's loop, whatever happens."""
        try:
            self._leave(zygote)
            if self._lasting:
                from cord.engines.local import visits

                visits.run(self._modules, index, link, self._streams)
            elif self._modules[index].threads > 1:
                from cord.engines.local import threaded

                assert own is not None
                threaded.run(self._modules, index, link, self._client, self._streams, own)
            else:
                run_replica(self._modules, index, slot, link, self._client, self._streams, own)
            if self._keeps(index) and endings.run.has_made:
                endings.run.tell(heirs.Leaving.ENDING)
                end_as_python_does()
            os._exit(0)
        except KeyboardInterrupt:  # somebody sent SIGINT to a replica between two calls
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
            os.kill(os.getpid(), _signal.SIGINT)
        except BaseException as exc:
            report_crash(self._crash, f"a replica of {self._modules[index].module}", exc)
        finally:
            os._exit(EXIT_SOFTWARE)

    def _reap(self) -> None:
        with suppress(ChildProcessError):  # there are none
            while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
                self._note_end(*ended)

    def _note_end(self, pid: int, status: int) -> None:
        if pid == self._heir:
            self._heir = None
            return
        if pid not in self._children:
            self._strangers[pid] = status  # a template that has not said so yet
            return
        replica = self._children.pop(pid)
        others = self._twins.get(self._serves.pop(pid, -1))
        if others is not None:
            others.ended(status)
        ended = self._processes.end_of(pid) if replica is None else [replica]
        for one in ended:
            self._send(control.message(control.EXITED, one, status))
        for index in list(self._by_socket.values()):
            others = self._twins[index]
            if others.first == pid and others.template is None:
                self._end_of_twins(index, others)

    def _send(self, message: bytes) -> None:
        try:
            self._control.send(message)
        except ConnectionError:
            self._end()

    def _on_ending_signal(self, _signal_number: int, _frame: FrameType | None) -> None:
        self._disinherit()
        if self._has_client():  # it has come to its end, and was not killed
            self._let_end()
        self._end()

    def _client_has_gone(self) -> NoReturn:
        """The client has gone, or has closed the control socket: then its signal follows."""
        until = time.monotonic() + GRACE
        self._disinherit()
        while self._has_client() and time.monotonic() < until:
            time.sleep(0.001)
        self._end()

    def _disinherit(self) -> None:
        """The run is over: nobody is to take this one's place."""
        if self._heir:
            _kill(self._heir)
            self._heir = None

    def _let_end(self) -> None:
        """Wait for idle replicas that keep state: they flush files and call exit functions.

        So for those that have left something running.
        """
        seconds = dict.fromkeys(endings.with_something(self._replicas()), heirs.SHORT_GRACE)
        keepers = [pid for pid, index in self._serves.items() if self._keeps(index)]
        seconds.update(dict.fromkeys(keepers, GRACE))
        self._leaving.wait(seconds, LONGEST_END)

    def _replicas(self) -> set[int]:
        """The processes of all replicas."""
        pids = {pid for others in self._twins.values() for pid in others.pids()}
        templates = {others.template for others in self._twins.values()}
        return pids | (self._children.keys() - templates)

    def _reap_ended(self) -> bool:
        """Reap what has ended; whether the client waits for the rest."""
        with suppress(ChildProcessError):  # all are reaped: a signal came in the midst of that
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                self._children.pop(pid, None)
        return self._has_client()

    def _end(self) -> NoReturn:
        self._disinherit()
        if self._crash is not None:
            with suppress(OSError):
                _core.restore_terminal(self._crash.fd)
        for signal in ENDING_SIGNALS:
            _signal.signal(signal, _signal.SIG_IGN)
        try:
            self._leaving.spare(pid for pid in self._replicas() if heirs.children_of(pid))
            for pid in self._replicas():
                self._leaving.kill(pid)
            for others in self._twins.values():
                others.socket.close()  # the template reaps its replicas and ends itself
            while True:  # reaped here: not every machine's init reaps orphans
                pid, status = os.waitpid(-1, os.WUNTRACED)
                if os.WIFSTOPPED(status):  # a template: else it would never end
                    os.kill(pid, _signal.SIGCONT)
        finally:
            own = (one for plan in self._modules for one in plan.functions.values())
            if any(plan.scratch for plan in self._modules) or any(one.scratch for one in own):
                clear_views(os.getpid())
            os._exit(EXIT_SOFTWARE)


@contextmanager
def _held_back() -> Iterator[None]:
    """Let signals to end wait until it is noted which process was forked.

    One that came between would not end it, and wait for it all the same: an heir, for ever.
    """
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, ENDING_SIGNALS)
    try:
        yield
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)


def _kill(pid: int) -> None:
    with suppress(OSError):  # it has ended
        os.kill(pid, _signal.SIGKILL)


def _watch(client: int) -> int:
    """Give a descriptor that can be read when the client has ended; -1 where there is none.

    The parent death signal would come when the thread ends that has started the zygote: a session
    may outlive the thread that has opened it.
    """
    try:
        return os.pidfd_open(client)
    except OSError:  # a kernel before 5.3, or one that does not allow it
        _core.set_parent_death_signal(_signal.SIGTERM)
        return -1


def _go_first() -> None:
    """When memory is short the kernel ends this process, and not the program."""
    with suppress(OSError, ValueError), open("/proc/self/oom_score_adj", "r+b", 0) as file:
        if int(file.read()) < GOES_FIRST:
            file.write(b"%d" % GOES_FIRST)


def _do_nothing(_signal_number: int, _frame: FrameType | None) -> None:
    """Handle SIGCHLD: only a handled signal writes to the wake-up descriptor."""
