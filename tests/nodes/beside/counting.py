"""Start an agent whose connection goes through this process, which counts what the agent is sent.

The number is written into the file "sent".
"""

import contextlib
import socket
import subprocess
import sys
import threading
from pathlib import Path


def pump(source: socket.socket, target: socket.socket, counted: list[int]) -> None:
    with contextlib.suppress(OSError):  # the other direction may have ended both
        while got := source.recv(1 << 20):
            counted[0] += len(got)
            target.sendall(got)
        target.shutdown(socket.SHUT_WR)


def serve(listener: socket.socket, address: tuple[str, int], sent: list[int]) -> None:
    agent, _ = listener.accept()
    gateway = socket.create_connection(address)
    threading.Thread(target=pump, args=(agent, gateway, [0]), daemon=True).start()
    pump(gateway, agent, sent)


command = sys.argv[1:]
at = command.index("--connect") + 1
host, _, port = command[at].rpartition(":")
listener = socket.create_server(("127.0.0.1", 0))
command[at] = f"127.0.0.1:{listener.getsockname()[1]}"
sent = [0]
threading.Thread(target=serve, args=(listener, (host, int(port)), sent), daemon=True).start()
code = subprocess.call(command)
Path("sent").write_text(str(sent[0]))
sys.exit(code)
