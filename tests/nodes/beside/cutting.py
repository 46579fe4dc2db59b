"""Start an agent whose connection goes through this process, which cuts it every now and then.

It begins when a process of this agent's has written its number into the file "begun". The
environment says how: CUTS, how often; EVERY, seconds between; FOREVER, that nobody is let through
again after the last. Then there is a file "cut".
"""

import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path


def pump(one: socket.socket, other: socket.socket) -> None:
    waits = selectors.DefaultSelector()
    waits.register(one, selectors.EVENT_READ, other)
    waits.register(other, selectors.EVENT_READ, one)
    try:
        while True:
            for ready, _ in waits.select():
                got = ready.fileobj.recv(65536)
                if not got:
                    return
                ready.data.sendall(got)
    except OSError:
        return
    finally:
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


LETS_THROUGH = threading.Lock()
is_over = threading.Event()


def serve(listener: socket.socket, address: tuple[str, int], alive: list[socket.socket]) -> None:
    while True:
        try:
            one, _ = listener.accept()
        except OSError:
            return
        with LETS_THROUGH:
            if is_over.is_set():
                one.close()
                continue
            other = socket.create_connection(address)
            alive[:] = [one, other]
        threading.Thread(target=pump, args=(one, other), daemon=True).start()


def cut(alive: list[socket.socket]) -> None:
    for end in alive:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def parent_of(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def has_begun(agent: int) -> bool:
    """Whether a call has begun in a process that comes from this agent."""
    try:
        processes = {int(line) for line in Path("begun").read_text().splitlines()}
    except OSError:
        return False
    while processes:
        if agent in processes:
            return True
        processes = {parent_of(process) for process in processes} - {0}
    return False


command = sys.argv[1:]
at = command.index("--connect") + 1
host, _, port = command[at].rpartition(":")
listener = socket.create_server(("127.0.0.1", 0))
command[at] = f"127.0.0.1:{listener.getsockname()[1]}"
alive: list[socket.socket] = []
threading.Thread(target=serve, args=(listener, (host, int(port)), alive), daemon=True).start()
agent = subprocess.Popen(command)
while not has_begun(agent.pid) and agent.poll() is None:
    time.sleep(0.02)
for _ in range(int(os.environ["CUTS"])):
    time.sleep(float(os.environ["EVERY"]))
    cut(alive)
if "FOREVER" in os.environ:
    listener.shutdown(socket.SHUT_RDWR)  # one that is accepting goes on when it is only closed
    listener.close()
    with LETS_THROUGH:
        is_over.set()
        cut(alive)
Path("cut").touch()
sys.exit(agent.wait())
