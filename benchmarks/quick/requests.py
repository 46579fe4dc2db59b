"""Rate of requests that a server answers over connections that are kept open."""

from __future__ import annotations

import socket
import threading
import time

CONNECTIONS = 4
AT_ONCE = 32
REQUEST = b"GET /hello/you HTTP/1.1\r\nhost: localhost\r\n\r\n"
END = b"hello you"


def rate(port: int, seconds: float) -> float:
    """Requests a second.

    Many are sent at once on each connection and their answers only counted, so that this client
    takes little of the processor beside the server.

    Args:
        port: The server's, on this machine.
        seconds: How long it is asked.
    """
    counts: list[int] = []
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=lambda: counts.append(_asked(port, until)))
        for _ in range(CONNECTIONS)
    ]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - began)


def _asked(port: int, until: float) -> int:
    count = 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        while time.monotonic() < until:
            connection.sendall(REQUEST * AT_ONCE)
            waited, tail = 0, b""
            while waited < AT_ONCE:
                received = connection.recv(65536)
                if not received:
                    raise ConnectionError("the server closed the connection")
                tail += received
                waited += tail.count(END)
                tail = tail[-len(END) + 1 :]
            count += waited
    return count
