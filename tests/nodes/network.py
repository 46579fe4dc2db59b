"""Machines that are namespaces of this one, and a network between them that can be cut.

Each *node* has processes, a network and a name of its own; files are shared. Node 1 is the
program's machine. The cables are a process (`beside/cables.py`) that passes packets on after a
while and loses some, for not all kernels have what does that by itself. No rights are needed but
those of user namespaces.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

BESIDE = Path(__file__).parent / "beside"
OWN = ("--user", "--map-root-user", "--net", "--uts", "--pid", "--fork", "--mount-proc")
PROGRAMS_NODE = 1
PATIENCE = 30.0


@cache
def are_permitted() -> bool:
    """Whether this machine lets us have such nodes."""
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        return False
    opens = "import os; os.open('/dev/net/tun', os.O_RDWR)"
    tried = subprocess.run(
        ["unshare", *OWN, sys.executable, "-c", opens], capture_output=True, check=False
    )
    return tried.returncode == 0


class Network:
    """A program's machine, and nodes that agents serve.

    Args:
        nodes: How many there are besides the program's.
        delay: Seconds that a packet takes.
        loss: The part of packets that does not arrive.
        seed: Chooses which.

    Attributes:
        folder: Of sockets by which nodes are told what to start.
        nodes: The numbers of those that agents serve.
    """

    def __init__(
        self, nodes: int = 3, delay: float = 0.002, loss: float = 0.01, seed: int = 0
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cordnet"))
        self.nodes = range(2, 2 + nodes)
        self._inits: dict[int, int] = {}
        self._started: list[subprocess.Popen[bytes]] = []
        self.said = (self.folder / "said").open("w+b")  # what nodes write on stderr
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder / "network"))
            listener.listen()
            listener.settimeout(PATIENCE)
            for number in (PROGRAMS_NODE, *self.nodes):
                self._start_node(number)
            devices = dict(self._meet(listener) for _ in self._started)
        self._cables = subprocess.Popen(
            [sys.executable, BESIDE / "cables.py", str(delay), str(loss), str(seed)]
            + [f"{number}:{device}" for number, device in devices.items()],
            stdin=subprocess.PIPE,
            pass_fds=list(devices.values()),
        )
        for device in devices.values():
            os.close(device)

    def _start_node(self, number: int) -> None:
        command = ["unshare", *OWN, "--kill-child", sys.executable, str(BESIDE / "node.py")]
        self._started.append(
            subprocess.Popen(
                [*command, str(self.folder), str(number)],
                stdin=subprocess.DEVNULL,
                stdout=self.said,
                stderr=self.said,
                start_new_session=True,
            )
        )

    def _meet(self, listener: socket.socket) -> tuple[int, int]:
        """A node that is up: its number and its device."""
        node, _ = listener.accept()
        with node:
            said, files, _, _ = socket.recv_fds(node, 16, 1)
            about = node.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        self._inits[int(said)] = struct.unpack("3i", about)[0]
        return int(said), files[0]

    def close(self) -> None:
        """End all nodes."""
        for process in self._started:
            process.kill()
        assert self._cables.stdin is not None
        self._cables.stdin.close()
        for process in (*self._started, self._cables):
            process.wait()
        self.said.close()
        shutil.rmtree(self.folder)

    def inside(self, number: int) -> list[str]:
        """What a command begins with that runs at a node, among this machine's processes."""
        init = str(self._inits[number])
        return ["nsenter", "--target", init, "--user", "--net", "--uts", "--preserve-credentials"]

    def launch(self) -> str:
        """The command of a plan that starts an agent on each node."""
        return f"{sys.executable} {BESIDE / 'join.py'} {self.folder} {len(self.nodes)} {{agent}}"

    def cut(self, number: int) -> None:
        """Nothing comes to a node any more, nor from it; and nobody tells it so."""
        self._order("cut", number)

    def mend(self, number: int) -> None:
        """The reverse."""
        self._order("mend", number)

    def _order(self, what: str, number: int) -> None:
        assert self._cables.stdin is not None
        self._cables.stdin.write(f"{what} {number}\n".encode())
        self._cables.stdin.flush()

    def set_interface(self, number: int, state: str) -> None:
        """Put a node's interface "up" or "down"."""
        words = ["ip", "link", "set", "dev", "net0", state]
        subprocess.run([*self.inside(number), *words], check=False, capture_output=True)

    def end(self, number: int) -> None:
        """A node ends, with all that runs there."""
        with suppress(ProcessLookupError):
            os.kill(self._inits[number], signal.SIGKILL)

    def processes(self, number: int) -> list[int]:
        """Those of a node, by this machine's numbers; the first one left out."""
        try:
            space = os.readlink(f"/proc/{self._inits[number]}/ns/pid")
        except OSError:
            return []  # it has ended
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and os.readlink(entry / "ns/pid") == space:
                    found.append(int(entry.name))
        return [one for one in found if one != self._inits[number]]

    def agents(self, number: int) -> list[int]:
        """The agents among them."""
        found = []
        for process in self.processes(number):
            with suppress(OSError):
                words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
                if b"agent" in words and b"--connect" in words:
                    found.append(process)
        return found


def tell(processes: list[int], number: int) -> None:
    """Send a signal to those that are still there."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def wait_until_gone(network: Network, seconds: float) -> dict[int, list[str]]:
    """What still runs at nodes after so long, by their numbers."""
    until = time.monotonic() + seconds
    while True:
        left = {number: network.processes(number) for number in network.nodes}
        left = {number: processes for number, processes in left.items() if processes}
        if not left or time.monotonic() >= until:
            return {number: [_words(one) for one in some] for number, some in left.items()}
        time.sleep(0.05)


def _words(process: int) -> str:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return f"{process}"
    return f"{process} {words[:100]}"
