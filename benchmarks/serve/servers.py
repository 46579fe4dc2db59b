"""The servers that are compared: each starts, tells its port, and ends."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "examples" / "web"
_SERVES = re.compile(r"serving on https?://[^ ]*:(\d+) ")
HANDLER = """\
[remote.handler]
replicas = {replicas}
threads = {threads}
callstyle = "{style}"
pure = true
[http]
queue = 100000
connections = 100000
[http.routes]
"GET /work/{{name}}" = "handler.work"
"GET /hello/{{name}}" = "handler.hello"
"""
FASTAPI = """\
import time
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse

app = FastAPI()

@app.get("/hello/{name}", response_class=PlainTextResponse)
def hello(name: str) -> str:
    return f"hello {name}"

@app.get("/quick/{name}", response_class=PlainTextResponse)
async def quick(name: str) -> str:
    return f"hello {name}"
"""


@contextlib.contextmanager
def cord(
    replicas: int,
    style: str = "async",
    plan: str = "",
    work: str | None = None,
    threads: int = 1,
    before: tuple[Path, ...] = (),
) -> Iterator[tuple[int, int]]:
    """`cord serve` with so many replicas of so many threads; its port and process id.

    Folders in ``before`` stand first in its PYTHONPATH.
    """
    with tempfile.TemporaryDirectory() as folder:
        text = (EXAMPLE / "handler.py").read_text() if work is None else work
        (Path(folder) / "handler.py").write_text(text)
        path = Path(folder) / "cord.toml"
        path.write_text(plan or HANDLER.format(replicas=replicas, threads=threads, style=style))
        words = [sys.executable, "-m", "cord", "serve", "--set", "http.bind=127.0.0.1:0"]
        errors = Path(folder) / "errors"
        with errors.open("w") as told:
            server = subprocess.Popen(words, cwd=folder, stderr=told, env=_environment(before))
        try:
            yield _await_port(server, errors), server.pid
        finally:
            _end(server)


def _environment(before: tuple[Path, ...]) -> dict[str, str]:
    if not before:
        return dict(os.environ)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, before))}


@contextlib.contextmanager
def erlang(pool: int, delay: int) -> Iterator[tuple[int, int]]:
    """The minimal server in Erlang."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["erlc", "-o", folder, HERE / "rudy.erl"], check=True)
        call = f"rudy:start({port},{pool},{delay})."
        server = subprocess.Popen(
            ["erl", "-noshell", "-pa", folder, "-eval", call], stdout=subprocess.DEVNULL
        )
        try:
            _await_listener(server, port)
            yield port, server.pid
        finally:
            _end(server)


@contextlib.contextmanager
def fastapi(workers: int) -> Iterator[tuple[int, int]]:
    """FastAPI under uvicorn, in so many processes."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "served.py").write_text(FASTAPI)
        words = ["served:app", "--port", str(port), "--workers", str(workers), "--no-access-log"]
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", *words, "--log-level", "warning"], cwd=folder
        )
        try:
            _await_listener(server, port)
            yield port, server.pid
        finally:
            _end(server)


def missing(name: str) -> str:
    """What is to be installed for a server or a tool; "" if it is there."""
    from importlib.util import find_spec

    if name == "fastapi":
        there = find_spec("fastapi") is not None and find_spec("uvicorn") is not None
        return "" if there else "pip install fastapi uvicorn[standard]"
    package = {"erl": "erlang-base", "wrk": "wrk"}[name]
    return "" if shutil.which(name) else f"apt install {package}"


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _await_port(server: subprocess.Popen[bytes], errors: Path) -> int:
    until = time.monotonic() + 120
    while time.monotonic() < until and server.poll() is None:
        found = _SERVES.search(errors.read_text())
        if found is not None:
            return int(found[1])
        time.sleep(0.02)
    raise RuntimeError(errors.read_text())


def _await_listener(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{server.args!r} does not listen")


def _end(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def memory(pid: int) -> float:
    """What a process has in memory, in MB."""
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file if ":" in line)
    return int(lines["VmRSS"].split()[0]) / 1000


def cores() -> int:
    """How many cores there are."""
    return len(os.sched_getaffinity(0))
