"""Servers in processes of their own, and clients by sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

_SERVES = re.compile(r"serving on https?://([^:]+|\[.*\]):(\d+) ")
PATIENCE = 60.0
T = TypeVar("T")


@dataclass
class Answer:
    """A whole response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    """One `cord serve`."""

    process: subprocess.Popen[str]
    folder: Path
    port: int = 0
    lines: list[str] = field(default_factory=list)

    def ask(
        self,
        target: str,
        method: str = "GET",
        body: bytes | str | None = None,
        **headers: str,
    ) -> Answer:
        """One request in a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, named)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())

    def ask_json(self, target: str, value: object, method: str = "POST", **headers: str) -> Answer:
        """A request with a body in JSON."""
        body = json.dumps(value)
        return self.ask(target, method, body, content_type="application/json", **headers)

    def connect(self) -> socket.socket:
        """A bare connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def say(self, text: bytes) -> bytes:
        """Bytes, and all that comes until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(text)
            return read_all(connection)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """SIGTERM, and the exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def await_line(self, text: str) -> str:
        """A line of stderr with this text in it, once it comes."""
        return wait_for(lambda: next((line for line in self.lines if text in line), ""))

    def metric(self, line: str) -> float:
        """The number of one metric, by its whole name with labels."""
        for one in self.ask("/metrics").body.decode().splitlines():
            name, _, value = one.rpartition(" ")
            if name == line:
                return float(value)
        return 0.0

    def replicas(self) -> list[int]:
        """Process ids of all replicas."""
        told = subprocess.run(
            ["ps", "-e", "-o", "pid=,sid=,comm="], capture_output=True, text=True, check=True
        )
        found = []
        for line in told.stdout.splitlines():
            pid, _, name = line.split(None, 2)
            if name.startswith("cord work") and _is_below(int(pid), self.process.pid):
                found.append(int(pid))
        return found


def _is_below(pid: int, above: int) -> bool:
    while pid > 1:
        if pid == above:
            return True
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False
        pid = int(fields[1])
    return False


def read_all(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    whole = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            whole += piece
    return whole


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """What comes until this has."""
    whole = b""
    while end not in whole:
        piece = connection.recv(65536)
        assert piece, whole
        whole += piece
    return whole


def wait_for(look: Callable[[], T]) -> T:
    """What a look gives once it is something."""
    until = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.01)
    return found


Serve = Callable[..., Server]


def start(folder: Path, work: str, plan: str, *words: str) -> Server:
    """Start a server of a module `work` under a plan."""
    (folder / "work.py").write_text(work)
    (folder / "cord.toml").write_text(plan)
    process = subprocess.Popen(
        [sys.executable, "-m", "cord", "serve", "--set", "http.bind=127.0.0.1:0", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": ""},
    )
    server = Server(process, folder)
    stderr = process.stderr
    assert stderr is not None

    def read() -> None:
        for line in stderr:
            server.lines.append(line.rstrip("\n"))

    threading.Thread(target=read, daemon=True).start()
    line = wait_for(
        lambda: (
            next((one for one in server.lines if _SERVES.search(one)), "")
            or (process.poll() is not None and "\n".join(server.lines))
        )
    )
    found = _SERVES.search(str(line))
    assert found is not None, server.lines
    server.port = int(found[2])
    return server


WORK = (Path(__file__).parent / "programs" / "work.py").read_text()
PLAN = (Path(__file__).parent / "programs" / "cord.toml").read_text()
