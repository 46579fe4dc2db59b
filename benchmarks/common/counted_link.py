"""Starts an agent whose link goes through this process, which counts what the agent is sent."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

COUNT = Path(os.environ["BENCH_BUILD"]) / "link"


def carried() -> int:
    """How many bytes the agent of this run has been sent."""
    return int(COUNT.read_text())


def _pump(source: socket.socket, target: socket.socket, told: Path | None) -> None:
    carried = 0
    while got := source.recv(1 << 20):
        carried += len(got)
        if told is not None:
            told.write_text(str(carried))
        target.sendall(got)
    with contextlib.suppress(OSError):  # the other direction may have ended both
        target.shutdown(socket.SHUT_WR)


def _lead(listener: socket.socket, address: tuple[str, int]) -> None:
    agent, _ = listener.accept()
    gateway = socket.create_connection(address)
    threading.Thread(target=_pump, args=(agent, gateway, None), daemon=True).start()
    _pump(gateway, agent, COUNT)


def main(command: list[str]) -> int:
    """Run the agent's command, led by way of this process."""
    at = command.index("--connect") + 1
    host, _, port = command[at].rpartition(":")
    listener = socket.create_server(("127.0.0.1", 0))
    command[at] = f"127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=_lead, args=(listener, (host, int(port))), daemon=True).start()
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
