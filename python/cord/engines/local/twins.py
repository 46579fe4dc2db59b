"""Replicas that are copies of one that has loaded their module.

What a module imports may take a second; if each of sixteen replicas imports it by itself, on two
cores, the first of them is ready after eight. So the replicas of a pure module wait for the first
one. Once that has loaded the module it forks a *template*, a child of the zygote's that serves no
calls; and the template forks the others, which then have the module already.

Not every process may be copied once it has loaded a module. Where loading has started a thread or a
process, opened a file or a connection, or mapped memory that is shared, there is no template, and
each replica loads the module by itself.

What the main script defines comes with the calls, and with it come imports. There the template is
forked at once, and imports what the first call of the first replica has led to, and what that was
told to import before (`preloads.py`).

::

    first replica -> zygote      "N"                            there is no template
    template      -> zygote      "T" u32 pid                    it exists
    zygote        -> template    "L" u32 replica u32 slot       and the replica's end of its link
    template      -> zygote      what the zygote tells the client of replicas (`control.py`)
"""

from __future__ import annotations

import _socket
import errno
import gc
import marshal
import os
import select
import sys
from contextlib import suppress

from cord import _core
from cord.engines.local import control

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import NoReturn

    from cord.plan.model import RemotePlan

    # What replicas that are not started yet wait with: the slot, and their end of the link.
    Held = dict[int, tuple[int, int]]
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost

Outside = tuple[frozenset[str], frozenset[str], bool]


def pair() -> tuple[_socket.socket, _socket.socket]:
    """The zygote's and the first replica's end of a socket."""
    return _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)


class Twins:
    """The zygote's side: the replicas of one module that are to be copies.

    Attributes:
        socket: Leads to the first replica, then to the template.
        held: The replicas that wait, by id.
        first: The process of the first replica.
        template: That of the template, if there is one.

    Args:
        socket: This end.
    """

    __slots__ = ("_crashes", "_live", "first", "held", "socket", "template")

    def __init__(self, socket: _socket.socket) -> None:
        self.socket = socket
        self.held: Held = {}
        self.first: int | None = None
        self.template: int | None = None
        self._crashes = 0  # that no replica has taken the place of yet
        self._live: dict[int, int] = {}  # by id: their processes

    def takes(self) -> bool:
        """Whether the next replica is one of them. One that replaces one that has crashed is not.

        What that has died of may be in its copies, too.
        """
        if self._crashes:
            self._crashes -= 1
            return False
        return self.socket.fileno() >= 0

    def ended(self, status: int) -> None:
        """A replica of the module has ended.

        Args:
            status: How, as from `os.waitpid`.
        """
        self._crashes += status not in (0, _signal.SIGKILL)

    def hold(self, replica: int, slot: int, link: int) -> None:
        """A replica is wanted."""
        self.held[replica] = (slot, link)
        if self.template is not None:
            self._ask_for(replica)

    def _ask_for(self, replica: int) -> None:
        slot, link = self.held[replica]
        message = control.message(control.LAUNCH, replica, slot)
        right = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, link.to_bytes(control.FD_SIZE, "little"))
        with suppress(OSError):  # it has ended, as reading tells
            self.socket.sendmsg([message], [right])

    def receive(self) -> bytes:
        """What has come, mostly for the client; nothing if there is, or will be, no template."""
        try:
            message = self.socket.recv(control.MESSAGE_SIZE)
        except ConnectionError:
            message = b""
        if not message or message == control.NONE:
            return b""
        kind, (value, *more) = message[:1], control.numbers(message)
        if kind == control.TEMPLATE:
            self.template = value
            for replica in self.held:
                self._ask_for(replica)
        elif kind in (control.STARTED, control.FAILED):
            os.close(self.held.pop(value)[1])
            if kind == control.STARTED:
                self._live[value] = more[0]
        elif kind == control.EXITED:
            self._live.pop(value, None)
            self.ended(more[0])
        return message

    def pids(self) -> list[int]:
        """The processes of those that live."""
        return list(self._live.values())

    def replicas_of(self, pid: int) -> list[int]:
        """The replica that a process is, none if it is another one."""
        return [replica for replica, one in self._live.items() if one == pid]

    def lost(self) -> list[bytes]:
        """What is to be told to the client when the template has ended: its replicas have, too."""
        self.socket.close()
        ended, again = control.EXITED, errno.EAGAIN
        told = [control.message(ended, replica, _signal.SIGKILL) for replica in self._live]
        told += [control.message(control.FAILED, replica, again) for replica in self.held]
        self._live.clear()
        self.close_held()
        return told

    def close_held(self) -> None:
        """Close the links of those that wait."""
        for _, link in self.held.values():
            os.close(link)
        self.held.clear()


class Seed:
    """The first replica's side: it may be copied.

    Args:
        socket: Leads to the zygote.
        become: Makes this process the replica of a slot and a link, and serves to its end.
    """

    def __init__(self, socket: _socket.socket, become: Callable[[int, int], None]) -> None:
        self._socket = socket
        self._become = become
        self._zygote = os.getppid()
        self._before: Outside | None = None

    def before(self) -> None:
        """The module is to be loaded."""
        self._before = _outside()

    def loaded(self) -> None:
        """The module is loaded: make a template, if this process may be copied."""
        if self._before is None or not _is_as_before(self._before):
            self.give_up()
        elif self._fork():
            Template(self._socket, self._zygote, self._become).serve()
        else:
            self._socket.close()

    def loaded_program(
        self, enter: Callable[[bytes], None], renew: Callable[[], None]
    ) -> Follower | None:
        """The module is the main script, which loads nothing: its functions come with the calls.

        Make a template that will import what this replica's first call has led to.

        Args:
            enter: Makes a world that of this process.
            renew: Lets a copy keep to itself what it writes, which forked children do not.

        Returns:
            What is to be told of the first call; None if there is no template.
        """
        try:
            theirs, ours = os.pipe2(os.O_CLOEXEC)
        except OSError:
            self.give_up()
            return None
        if self._fork():
            os.close(ours)
            renew()
            if not _follow(theirs, self._socket, enter):
                self.give_up()
                os._exit(0)
            Template(self._socket, self._zygote, self._become).serve()
        os.close(theirs)
        self._socket.close()
        return Follower(ours)

    def _fork(self) -> bool:
        """Fork a sibling. Whether this is it."""
        try:
            return _core.fork_sibling() == 0
        except OSError:
            self.give_up()  # no room
            return False

    def give_up(self) -> None:
        """There will be no template."""
        with suppress(OSError):  # the zygote has gone
            self._socket.send(
                control.NONE
            )  # its end may be open elsewhere: in what loading has forked
        self._socket.close()


class Follower:
    """The first replica's side of what leads to a template that follows its imports.

    Args:
        fd: Descriptor to write to.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._before = frozenset(sys.modules)
        self._imported: list[tuple[bytes, list[str]]] = []

    def decoded(self, world: bytes, *, is_call: bool) -> None:
        """Something is decoded, in this world, which may have imported something.

        Once it is a call of the program's, the template imports all of it, each in its world.
        """
        # those of Cord's own are imported by what needs them, `logging` say, which they also import
        new = (name for name in sys.modules if name not in self._before)
        names = [name for name in new if not name.startswith("cord.")]
        self._before = self._before.union(names)
        self._imported.append((world, names))
        if is_call:
            with suppress(OSError), open(self._fd, "wb") as file:
                marshal.dump(self._imported, file)


def _follow(fd: int, zygote: _socket.socket, enter: Callable[[bytes], None]) -> bool:
    """Import what the first replica has; whether this process may be copied then."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    poll.register(zygote, 0)  # its end
    if any(ready != fd for ready, _ in poll.poll()):
        os._exit(0)
    try:
        with open(fd, "rb") as file:
            imported = marshal.load(file)
    except (EOFError, ValueError):
        return True  # it has died before
    from cord.runtime.travel.arrivals import bring  # only where such calls come

    before = _outside()
    for world, names in imported:
        enter(world)
        bring(names)  # not each name is that of a module
    return _is_as_before(before)


class Template:
    """A process that has loaded the module and forks replicas.

    Args:
        socket: Leads to the zygote.
        zygote: The zygote's process id.
        become: As for `Seed`.
    """

    def __init__(
        self, socket: _socket.socket, zygote: int, become: Callable[[int, int], None]
    ) -> None:
        self._socket = socket
        self._become = become
        self._replicas: dict[int, tuple[int, int]] = {}  # by descriptor: its process, and its id
        _core.set_parent_death_signal(_signal.SIGKILL)
        if os.getppid() != zygote:
            os._exit(0)
        _core.set_process_name("cord")

    def serve(self) -> NoReturn:
        """Fork replicas until the zygote has no use for them."""
        self._handler = _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        collects = gc.isenabled()
        gc.disable()  # as the zygote
        gc.freeze()
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._send(control.message(control.TEMPLATE, os.getpid()))
        while True:
            for fd, _ in self._poll.poll():
                if fd in self._replicas:
                    self._reap(fd)
                elif self._receive():
                    self._serve_calls(collects)

    def _receive(self) -> bool:
        """Fork a replica. Whether this is it."""
        try:
            message, link = control.receive_with_descriptor(self._socket)
        except ConnectionError:  # the zygote had not read all
            message = b""
        if not message:
            self._end()
        replica, slot = control.numbers(message)
        template = os.getpid()
        try:
            pid = os.fork()
        except OSError as exc:
            self._send(control.message(control.FAILED, replica, exc.errno or errno.EAGAIN))
        else:
            if pid == 0:
                self._mine = (template, slot, link)
                return True
            self._send(control.message(control.STARTED, replica, pid))
            fd = os.pidfd_open(pid)
            self._replicas[fd] = (pid, replica)
            self._poll.register(fd, select.POLLIN)
        os.close(link)
        return False

    def _serve_calls(self, collects: bool) -> NoReturn:
        """Be a replica."""
        template, slot, link = self._mine
        _core.set_parent_death_signal(_signal.SIGKILL)
        if os.getppid() != template:
            os._exit(0)
        self._socket.close()
        for fd in self._replicas:
            os.close(fd)
        if collects:
            gc.enable()
        if self._handler is not None:
            _signal.signal(_signal.SIGCHLD, self._handler)
        self._become(slot, link)
        os._exit(0)

    def _reap(self, fd: int) -> None:
        pid, replica = self._replicas.pop(fd)
        self._poll.unregister(fd)
        os.close(fd)
        _, status = os.waitpid(pid, 0)
        self._send(control.message(control.EXITED, replica, status))

    def _send(self, message: bytes) -> None:
        try:
            self._socket.send(message)
        except OSError:
            self._end()

    def _end(self) -> NoReturn:
        for pid, _ in self._replicas.values():
            os.kill(pid, _signal.SIGKILL)
        for pid, _ in self._replicas.values():
            os.waitpid(pid, 0)  # reaped here, as the zygote does
        os._exit(0)


def may_be(plan: RemotePlan, modules: int) -> bool:
    """Whether the replicas of a module may be copies of one another.

    Args:
        plan: What the plan says of it.
        modules: How many remote modules there are. To import another one is not for a template.
    """
    if plan.is_program and modules > 1:
        return False
    are_several = plan.replicas > 1 or plan.recycle is not None
    return plan.is_pure and are_several and plan.threads == 1 and _has_process_descriptors()


def _has_process_descriptors() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # a kernel before 5.3, or one that does not allow it
        return False
    return True


def _outside() -> Outside:
    """What of this process a copy would share or not have: descriptors, shared memory, threads."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        shared = frozenset(line for line in file if line[: line.find(" ") + 5].endswith("s"))
    descriptors = set()
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the one that lists them is gone
            descriptors.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
    return frozenset(descriptors), shared, len(os.listdir("/proc/self/task")) == 1


def _is_as_before(before: Outside) -> bool:
    return before[2] and before == _outside() and _is_childless()


def _is_childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False
