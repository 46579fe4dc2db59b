"""The replicas that a standing agent keeps, with their state, for all its clients.

A zygote of the agent's own forks them, before the first client comes. The agent of a client asks
for them in the words in which it asks its own zygote; it gets a link to one that is there.

::

    agent of a client -> here   "V"                             and a file: what the client is like
                                "L" u32 module u32 replica u32 slot   and the end of a link
    here -> agent of a client   what a zygote tells (`engines/local/control.py`)
"""

from __future__ import annotations

import array
import errno
import os
import socket
import sys
from typing import TYPE_CHECKING

from cord.engines.local import control, fresh, visits
from cord.engines.nodes import facts
from cord.errors import CordError
from cord.ready import ready

if TYPE_CHECKING:
    from cord.plan.model import RemotePlan

ABOUT = b"V"
# The longest of what comes here.
_LONGEST = 1 + visits.WHY


class Visitor:
    """The agent of a client, as far as it matters here.

    Attributes:
        socket: Leads to it.
        lasting: The replicas that it visits.
        about: A file that says what the client is like; None as long as it has not come.
    """

    def __init__(self, to_it: socket.socket, lasting: Lasting) -> None:
        self.socket = to_it
        self.lasting = lasting
        self.about: int | None = None

    def tell(self, kind: bytes, replica: int, *values: int) -> None:
        """Tell it of a replica that it has asked for."""
        try:
            self.socket.send(control.message(kind, replica, *values), socket.MSG_DONTWAIT)
        except OSError:
            self.socket.shutdown(socket.SHUT_RDWR)  # it is gone, or does not listen: it is to end

    def close(self) -> None:
        """It is gone."""
        self.socket.close()
        if self.about is not None:
            os.close(self.about)


class _Replica:
    """One that is kept.

    Attributes:
        module: The number of its module.
        slot: Its place there.
        socket: Leads to it.
        pid: Its process, once that is known.
        visits: Who has a link to it, and under which number.
    """

    def __init__(self, module: int, slot: int, to_it: socket.socket) -> None:
        self.module = module
        self.slot = slot
        self.socket = to_it
        self.pid = 0
        self.visits: list[tuple[Visitor, int]] = []


class Lasting:
    """All of them.

    Attributes:
        modules: The modules whose replicas are kept.
        path: `sys.path` as these see it.
        digests: What the modules' files held, by name.

    Args:
        modules: See above.
        path: See above.

    Raises:
        CordError: A module cannot be loaded.
        OSError: The system has no room for them.
    """

    def __init__(self, modules: list[RemotePlan], path: list[str]) -> None:
        self.modules = modules
        self.path = path
        self.digests = {one.module: facts.digest(one.module, path) for one in modules}
        self._zygote = fresh.start(modules, fresh.Surroundings(path=path), lasting=True)
        self.control = socket.socket(fileno=self._zygote.control)
        self._replicas: dict[int, _Replica] = {}
        self._last = 0
        try:
            for index, module in enumerate(modules):
                for slot in range(module.replicas):
                    self._wait(self._launch(index, slot))
        except BaseException:
            self.close()
            raise

    def _launch(self, module: int, slot: int) -> _Replica:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._last += 1
        replica = self._replicas[self._last] = _Replica(module, slot, ours)
        message = control.message(control.LAUNCH, module, self._last, slot)
        with theirs:
            socket.send_fds(self.control, [message], [theirs.fileno()])
        return replica

    def _wait(self, replica: _Replica) -> None:
        """Until a replica has loaded its module."""
        while True:
            if replica.socket in ready([self.control, replica.socket]):
                said = replica.socket.recv(_LONGEST)
                if said[:1] == visits.READY:
                    return
                name = self.modules[replica.module].module
                why = said[1:].decode(errors="replace") or "its process has ended"
                raise CordError(f"the module {name} cannot be loaded: {why}")
            self.hear()

    def hear(self) -> None:
        """Hear of the ends of replicas, and tell those that have links there."""
        message = self.control.recv(control.MESSAGE_SIZE)
        if not message:
            raise CordError("the process that starts replicas is gone")
        kind, (number, *values) = message[:1], control.numbers(message)
        replica = self._replicas[number]
        if kind == control.STARTED:
            replica.pid = values[0]
            return
        for visitor, known_as in replica.visits:
            visitor.tell(kind, known_as, *values)
        if kind == control.BEYOND:
            return
        del self._replicas[number]
        replica.socket.close()
        sys.stderr.write(f"cord: {self._name(replica)} has ended, and what it kept is lost\n")
        sys.stderr.flush()

    def _name(self, replica: _Replica) -> str:
        return f"replica {replica.slot} of {self.modules[replica.module].module}"

    def hear_visitor(self, visitor: Visitor) -> bool:
        """Hear what a client's agent asks for; whether it is still there."""
        try:
            size = socket.CMSG_SPACE(control.FD_SIZE)
            message, ancillary, _, _ = visitor.socket.recvmsg(
                control.MESSAGE_SIZE, size, socket.MSG_CMSG_CLOEXEC
            )
        except OSError:
            message, ancillary = b"", []
        fds = [fd for _, _, data in ancillary for fd in array.array("i", data)]
        if message == ABOUT and fds and visitor.about is None:
            visitor.about = fds.pop()
        elif message[:1] == control.LAUNCH and fds and visitor.about is not None:
            module, number, slot = control.numbers(message)
            try:
                self._visit(visitor, module, number, slot, fds[0])
            except OSError as error:
                visitor.tell(control.FAILED, number, error.errno or errno.EAGAIN)
        for fd in fds:
            os.close(fd)
        return bool(message)

    def _visit(self, visitor: Visitor, module: int, number: int, slot: int, link: int) -> None:
        replica = self._replica(module, slot % self.modules[module].replicas)
        assert visitor.about is not None
        with_it = array.array("i", [link, visitor.about]).tobytes()
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, with_it)]
        replica.socket.sendmsg([ABOUT], ancillary, socket.MSG_DONTWAIT)
        replica.visits.append((visitor, number))
        visitor.tell(control.STARTED, number, replica.pid)

    def _replica(self, module: int, slot: int) -> _Replica:
        """The one that is there, or a new one; it finds out by itself whether it can load."""
        for replica in self._replicas.values():
            if (replica.module, replica.slot) == (module, slot):
                return replica
        return self._launch(module, slot)

    def forget(self, visitor: Visitor) -> None:
        """A client is gone."""
        for replica in self._replicas.values():
            replica.visits = [one for one in replica.visits if one[0] is not visitor]
        visitor.close()

    def close(self) -> None:
        """Let all replicas come to their end, and wait until they are gone."""
        for replica in self._replicas.values():
            replica.socket.close()
        self._zygote.close()
        self.control.close()
