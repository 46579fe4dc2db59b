"""Who comes to a standing agent: for a new agent of its own, or for the one that has served it.

A gateway whose link was cut connects again, and the connection must reach the agent that waits for
it, which is a process of its own. So before TLS begins, who connects says a name in the open: an
agent's, or that of none. To that agent the socket is handed as it is; it asks for the key, and for
what only its own gateway knows (`crates/cord-node/src/identity.rs`).
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress

# Bytes of a name.
_LENGTH = 16
# Connections at a time that have said none yet, or wait for an agent. Where more come, the first
# goes that has said none; where all have, they wait to be accepted.
_MOST = 64
# Seconds in which one has to be said.
_PATIENCE = 10.0


class Knock:
    """A connection.

    Args:
        connection: Its socket; taken over.
        host: Where it comes from.

    Attributes:
        name: What it has said, as far as that has come.
        until: When that must have come.
    """

    def __init__(self, connection: socket.socket, host: str) -> None:
        connection.setblocking(False)
        self.connection = connection
        self.host = host
        self.name = b""
        self.until = time.monotonic() + _PATIENCE

    @property
    def is_whole(self) -> bool:
        """Whether all of the name has come."""
        return len(self.name) == _LENGTH

    def hear(self) -> bool:
        """Read what has come; whether it is still there."""
        try:
            got = self.connection.recv(_LENGTH - len(self.name))
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.name += got
        return bool(got)


class Door:
    """Leads to the agent of a client.

    Args:
        to_it: The socket.

    Attributes:
        name: What the agent is called; empty until it has said so.
    """

    def __init__(self, to_it: socket.socket) -> None:
        self.socket = to_it
        self.name = b""

    def hear(self) -> bool:
        """Hear its name; whether it is still there."""
        try:
            self.name = self.socket.recv(_LENGTH, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return bool(self.name)

    def hand(self, knock: Knock) -> None:
        """Hand a connection over; it is closed where the agent does not take it."""
        with suppress(OSError), knock.connection:
            socket.send_fds(self.socket, [b"\0"], [knock.connection.fileno()], socket.MSG_DONTWAIT)


class Entrance:
    """All who have come, and all doors.

    Args:
        listener: Where they connect.

    Attributes:
        full: The hosts that have enough agents.
    """

    def __init__(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        self._listener = listener
        self.full: set[str] = set()
        self._knocks: list[Knock] = []
        self._doors: dict[int, Door] = {}

    def waits(self) -> list[socket.socket]:
        """What to wait for."""
        waiting = sum(knock.is_whole for knock in self._knocks) - len(self._queued())
        listeners = [self._listener] if waiting < _MOST else []
        doors = [door.socket for door in self._doors.values()]
        return [*listeners, *doors, *(it.connection for it in self._knocks if not it.is_whole)]

    def seconds(self) -> float | None:
        """How long to wait at most; None for as long as it takes."""
        untils = [knock.until for knock in self._knocks if not knock.is_whole]
        return max(0.0, min(untils) - time.monotonic()) if untils else None

    def hear(self, ready: list[socket.socket]) -> None:
        """Hear those that have something to say, and bring to their agents who asks for them.

        Args:
            ready: Those of `waits` that can be read.
        """
        for pid, door in list(self._doors.items()):
            if door.socket in ready and not door.hear():
                self.forget(pid)
        for knock in list(self._knocks):
            if knock.connection in ready and not knock.is_whole:
                self._hear(knock)
            if not knock.is_whole and time.monotonic() >= knock.until:
                self._drop(knock)
        if self._listener in ready:
            with suppress(OSError):  # it has gone again
                connection, (host, *_) = self._listener.accept()
                knock = Knock(connection, host)
                self._knocks.append(knock)
                self._hear(knock)  # who has the key has said a name by now
        queued = self._queued()
        silent = [knock for knock in self._knocks if not knock.is_whole]
        for knock in [*silent[: max(0, len(self._knocks) - len(queued) - _MOST)], *queued[_MOST:]]:
            self._drop(knock)

    def _queued(self) -> list[Knock]:
        """Those whose host has enough agents: they hold nobody else up."""
        return [knock for knock in self._knocks if knock.is_whole and knock.host in self.full]

    def _hear(self, knock: Knock) -> None:
        if not knock.hear():
            self._drop(knock)
        elif knock.is_whole:
            for door in self._doors.values():
                if door.name == knock.name:
                    self._knocks.remove(knock)
                    door.hand(knock)
                    return

    def _drop(self, knock: Knock) -> None:
        if knock in self._knocks:
            self._knocks.remove(knock)
        knock.connection.close()

    def next_for_an_agent(self) -> Knock | None:
        """One who is to have a new agent; it is taken from here."""
        for knock in self._knocks:
            if knock.is_whole and knock.host not in self.full:
                self._knocks.remove(knock)
                return knock
        return None

    def add(self, pid: int, door: Door) -> None:
        """There is a new agent, behind this door."""
        self._doors[pid] = door

    def forget(self, pid: int) -> None:
        """An agent is gone."""
        door = self._doors.pop(pid, None)
        if door is not None:
            door.socket.close()

    def close(self) -> None:
        """Close all that there is."""
        self._listener.close()
        for knock in self._knocks:
            knock.connection.close()
        for door in self._doors.values():
            door.socket.close()
