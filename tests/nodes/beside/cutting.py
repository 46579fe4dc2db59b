"""Start an agent whose connection goes through this process, which cuts it every now and then.

It begins when there is a file "begun". The environment says how: CUTS, how often; EVERY, seconds
between; FOREVER, that nobody is let through again after the last.
"""

import os
import selectors
import socket
import subprocess
import sys
import threading
import time


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


def serve(listener: socket.socket, address: tuple[str, int], alive: list[socket.socket]) -> None:
    while True:
        try:
            one, _ = listener.accept()
        except OSError:
            return
        other = socket.create_connection(address)
        alive[:] = [one, other]
        threading.Thread(target=pump, args=(one, other), daemon=True).start()


def cut(alive: list[socket.socket]) -> None:
    for end in alive:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


command = sys.argv[1:]
at = command.index("--connect") + 1
host, _, port = command[at].rpartition(":")
listener = socket.create_server(("127.0.0.1", 0))
command[at] = f"127.0.0.1:{listener.getsockname()[1]}"
alive: list[socket.socket] = []
threading.Thread(target=serve, args=(listener, (host, int(port)), alive), daemon=True).start()
agent = subprocess.Popen(command)
while not os.path.exists("begun") and agent.poll() is None:
    time.sleep(0.02)
for _ in range(int(os.environ["CUTS"])):
    time.sleep(float(os.environ["EVERY"]))
    cut(alive)
if "FOREVER" in os.environ:
    listener.close()
    cut(alive)
sys.exit(agent.wait())
