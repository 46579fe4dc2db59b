"""An agent that stands: it serves the programs that connect to it, each in a process of its own.

Each client has an ordinary agent, forked for it, whose link the client has made. What a client asks
for ends with it; nobody hears of anybody else. One whose link was cut connects again, and is
brought to its agent (`knocking.py`). Only replicas of modules that the agent's own plan names are
there for all, and outlast them (`lasting.py`).
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from cord import _core
from cord.engines.local.zygote import TERMINAL_SIGNALS
from cord.engines.nodes import by_name, keys
from cord.engines.nodes.addresses import LOOPBACK, address_of
from cord.engines.nodes.agent import Service, serve_client
from cord.engines.nodes.knocking import Door, Entrance, Knock
from cord.engines.nodes.lasting import Lasting, Visitor
from cord.engines.nodes.stopping import told_to_stop
from cord.errors import CordError
from cord.ready import ready

if TYPE_CHECKING:
    import subprocess
    from typing import Any, NoReturn

    from cord.plan.model import Plan

# Agents of clients at a time, those included that have not shown a key yet; more of them wait.
_MOST = 64
# Of these one host has so many at most: others are served, too.
_MOST_OF_ONE = 48
# So many clients of a host that are not served are told of, in a row.
_TOLD = 10
# Seconds that the agents of clients may take to end.
_GRACE = 12.0
_STOPPING = (signal.SIGTERM, signal.SIGINT)


def serve_all(
    address: str | None, key_file: str | None, ray: str | None, name: str, plan: Plan | None
) -> int:
    """Serve until SIGTERM or SIGINT.

    Args:
        address: Where to listen; None for the loopback's usual port.
        key_file: The agent's key; None where Ray tells clients theirs.
        ray: The cluster that does, by the agent's name.
        name: Under which clients look for it.
        plan: What it keeps for all of them; None for nothing.

    Returns:
        The exit code.

    Raises:
        CordError: There is no key, it cannot listen there, or a module cannot be loaded.
    """
    for one in () if plan is None else plan.remote.values():
        if one.threads > 1:
            raise CordError(
                f"the agent is to keep replicas of {one.module}, which serve one call at a time, "
                f"but {plan.path} says threads = {one.threads}",  # type: ignore[union-attr]
                "take threads out, or take the module out of what the agent keeps",
            )
    key, clients = _core.new_key_pair() if key_file is None else (keys.read(key_file), b"")
    listener = _listen(address or LOOPBACK)
    lasting = None
    if plan is not None:
        folder = os.path.dirname(os.path.abspath(plan.path))
        path = sys.path if sys.flags.safe_path else sys.path[1:]
        lasting = Lasting(list(plan.remote.values()), [folder, *path])
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    agent = Standing(listener, key, name, lasting)
    if ray is not None:
        try:
            agent.named = by_name.keep(ray, name, shown, clients)
        except CordError:
            if lasting is not None:
                lasting.close()
            raise
    agent.heed_signals()  # who reads that it serves may end it
    _say(f"serves under the name {name} at {shown}")
    agent.serve()
    return 0


def _listen(address: str) -> socket.socket:
    try:
        host, port = address_of(address)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, ValueError) as error:
        raise CordError(f"cannot listen at {address}: {error}") from None


class Standing:
    """It, and the agents of its clients.

    Args:
        listener: Where clients connect.
        key: The agent's.
        name: Under which it serves.
        lasting: What it keeps for all clients, if anything.

    Attributes:
        named: What keeps its name in a cluster, where it has one there.
    """

    def __init__(
        self, listener: socket.socket, key: bytes, name: str, lasting: Lasting | None
    ) -> None:
        self._entrance = Entrance(listener)
        self._key = key
        self._name = name
        self._lasting = lasting
        self._older: list[Lasting] = []  # as they were before a reload, for those who visit them
        self._clients: dict[int, str] = {}  # the processes of their agents: at which hosts they are
        self._unserved: Counter[str] = Counter()  # by host, those in a row that were not served
        self._visitors: dict[socket.socket, Visitor] = {}
        self.named: subprocess.Popen[bytes] | None = None
        self._woken = -1

    def heed_signals(self) -> None:
        """From now on signals are noted, for `serve` to do what they tell."""
        self._woken, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(wake)
        reload = () if self._lasting is None else (signal.SIGHUP,)
        for number in (*_STOPPING, *reload, signal.SIGCHLD):
            signal.signal(number, _do_nothing)  # only a handled signal writes to the descriptor

    def serve(self) -> None:
        """Serve until told to end, once signals are heeded."""
        woken = self._woken
        while True:
            waits: list[Any] = [woken, *self._visitors, *self._entrance.waits()]
            if self.named is not None and self.named.stdout is not None:
                waits.append(self.named.stdout)
            waits += [one.control for one in self._all_lasting()]
            heard = ready(waits, self._entrance.seconds())
            if woken in heard:
                told = os.read(woken, 512)
                if any(number in told for number in _STOPPING):
                    break
                self._reap()
            self._hear(heard)
            if woken in heard and signal.SIGHUP in told:
                self._reload()
            self._entrance.hear(heard)
            self._welcome()
            if self.named is not None and self.named.stdout in heard:
                self._forget_name(self.named)
                _say("the Ray cluster is gone, and with it the name: no more clients will come")
        self._end()

    def _forget_name(self, named: subprocess.Popen[bytes]) -> None:
        self.named = None
        for end in (named.stdin, named.stdout):
            if end is not None:
                end.close()  # it ends with that

    def _all_lasting(self) -> list[Lasting]:
        return self._older if self._lasting is None else [*self._older, self._lasting]

    def _hear(self, ready: list[Any]) -> None:
        for lasting in self._all_lasting():
            if lasting.control in ready:
                lasting.hear()
        for visitor in [self._visitors[one] for one in self._visitors if one in ready]:
            if not visitor.lasting.hear_visitor(visitor):
                del self._visitors[visitor.socket]
                visitor.lasting.forget(visitor)
                self._close_older()

    def _close_older(self) -> None:
        visited = {visitor.lasting for visitor in self._visitors.values()}
        for lasting in [one for one in self._older if one not in visited]:
            self._older.remove(lasting)
            lasting.close()

    def _reload(self) -> None:
        """Read the modules again, into new replicas, for clients that come from now on."""
        assert self._lasting is not None
        try:
            lasting = Lasting(self._lasting.modules, self._lasting.path)
        except (CordError, OSError) as error:
            _say(f"not reloaded, what was kept stays: {error}")
            return
        self._older.append(self._lasting)
        self._lasting = lasting
        _say("reloaded: who comes from now on has new replicas")
        self._close_older()

    def _welcome(self) -> None:
        """Give agents to those who want new ones."""
        while len(self._clients) < _MOST:
            agents = Counter(self._clients.values())
            self._entrance.full = {host for host, some in agents.items() if some >= _MOST_OF_ONE}
            knock = self._entrance.next_for_an_agent()
            if knock is None:
                return
            self._serve(knock)

    def _serve(self, knock: Knock) -> None:
        own = os.getpid()
        door, behind = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        here = there = None
        if self._lasting is not None:
            here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            pid = os.fork()
        except OSError as error:
            _say(f"cannot serve {knock.host}: {error}")
            door.close()
        else:
            if pid == 0:
                for end in (door, here):
                    if end is not None:
                        end.close()
                self._become_agent(knock, behind, own, there)
            self._clients[pid] = knock.host
            self._entrance.add(pid, Door(door))
            if here is not None:
                assert self._lasting is not None
                self._visitors[here] = Visitor(here, self._lasting)
                here = None
        for end in (here, there, behind, knock.connection):
            if end is not None:
                end.close()

    def _become_agent(
        self, knock: Knock, door: socket.socket, parent: int, way: socket.socket | None
    ) -> NoReturn:
        """Never returns into the loop, whatever happens."""
        code = 1
        try:
            _core.set_parent_death_signal(signal.SIGTERM)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            stop = told_to_stop(TERMINAL_SIGNALS)
            self._entrance.close()
            if self.named is not None:
                self._forget_name(self.named)
            for other in self._visitors:
                other.close()
            if os.getppid() == parent:
                service = Service(self._name, self._lasting, way)
                connection = knock.connection.detach()
                code = serve_client(connection, door.detach(), self._key, stop, service)
        except CordError as problem:
            before = self._unserved[knock.host]
            if before < _TOLD:
                last = "" if before < _TOLD - 1 else "; no more of this host is told of"
                _say(f"a client at {knock.host} is not served: {problem.message}{last}")
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(code)

    def _reap(self) -> None:
        while self._clients:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            host = self._clients.pop(pid, "")
            if status:
                self._unserved[host] += 1
            else:
                del self._unserved[host]
            self._entrance.forget(pid)

    def _end(self) -> None:
        """Clients hear of it from their agents, which end what they have started."""
        self._entrance.close()
        if self.named is not None:
            self._forget_name(self.named)
        for pid in self._clients:
            os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + _GRACE
        while self._clients and time.monotonic() < until:
            self._reap()
            time.sleep(0.01)
        for pid in self._clients:
            os.kill(pid, signal.SIGKILL)
        for lasting in self._all_lasting():
            lasting.close()


def _say(text: str) -> None:
    sys.stderr.write(f"cord: {text}\n")
    sys.stderr.flush()


def _do_nothing(_number: int, _frame: object) -> None:
    """Handle it, and that is all."""
