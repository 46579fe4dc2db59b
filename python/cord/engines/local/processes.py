"""The zygote's side of processes that serve several links: see `threaded.py`."""

from __future__ import annotations

import _socket
import os

from cord.engines.local import control

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal

    Key = tuple[int, int]
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost


class Processes:
    """Those that live."""

    __slots__ = ("_by_key", "_crews")

    def __init__(self) -> None:
        # by module and number: the process, and what leads to it
        self._by_key: dict[Key, tuple[int, _socket.socket]] = {}
        self._crews: dict[int, list[int]] = {}  # by process: its replicas

    def pair(self) -> tuple[_socket.socket, _socket.socket]:
        """What leads to a new process: the zygote's end, and its own."""
        return _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)

    def add(self, key: Key, pid: int, socket: _socket.socket, replica: int) -> None:
        """There is a new one, with its first replica."""
        self._by_key[key] = (pid, socket)
        self._crews[pid] = [replica]

    def hand(self, key: Key, replica: int, link: int) -> int | None:
        """Give a process one more link to serve.

        Returns:
            The process; None if there is none, or it is about to end.
        """
        if key not in self._by_key:
            return None
        pid, socket = self._by_key[key]
        right = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, link.to_bytes(control.FD_SIZE, "little"))
        try:
            socket.sendmsg([control.LAUNCH], [right])
        except OSError:
            os.kill(pid, _signal.SIGKILL)  # it does not read any more
            return None
        self._crews[pid].append(replica)
        return pid

    def end_of(self, pid: int) -> list[int]:
        """A process has ended: its replicas, none if it was another one."""
        for key, (one, socket) in self._by_key.items():
            if one == pid:
                socket.close()
                del self._by_key[key]
                break
        return self._crews.pop(pid, [])

    def replicas_of(self, pid: int) -> list[int]:
        """The replicas that a process serves, none if it is another one."""
        return self._crews.get(pid, [])

    def pid_of(self, key: Key) -> int | None:
        """The process under this number, if there is one."""
        return self._by_key[key][0] if key in self._by_key else None

    def close(self) -> None:
        """In another process: close what leads to them."""
        for _, socket in self._by_key.values():
            socket.close()
