"""The example of a web server does what its page says."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "examples" / "web"
README = (WEB / "README.md").read_text()
TYPED = re.compile(r"^\$ curl \S+:8080(\S+)(?: --json '(.*)')?\n([^\n]*)$", re.MULTILINE)
SIZES = (1, *range(10, 101, 10))


@contextlib.contextmanager
def served(*words: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "cord", "serve", "--set", f"http.bind=127.0.0.1:{port}"]
    server = subprocess.Popen([*command, *words], cwd=WEB, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        assert "serving on" in server.stderr.readline()
        yield port
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()


def test_the_page_shows_what_comes() -> None:
    pytest.importorskip("Bio")
    pytest.importorskip("msgspec")
    typed = TYPED.findall(README)
    assert len(typed) == 2
    with served("--set", "remote.handler.replicas=2") as port:
        for path, body, shown in typed:
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
            if body:
                request.data = json.dumps(json.loads(body)).encode()
                request.add_header("content-type", "application/json")
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert answer.read().decode() == shown


def test_there_is_a_variant_for_each_pool_of_the_experiment() -> None:
    text = (WEB / "cord.toml").read_text()
    for size in SIZES:
        assert f"[variants.pool-{size}.remote.handler]\nreplicas = {size}\n" in text


def test_a_hundred_requests_wait_for_a_pool_of_fifty() -> None:
    pytest.importorskip("Bio")
    pytest.importorskip("msgspec")
    with served("--variant", "pool-50") as port:
        text = b"GET /work/you HTTP/1.1\r\nhost: localhost\r\n\r\n"
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        for connection in connections:
            connection.sendall(text)
        for connection in connections:
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            connection.close()
