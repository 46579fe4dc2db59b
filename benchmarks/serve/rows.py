"""What is measured of `cord serve`, and how. Each gives the lines of a table in Markdown."""

from __future__ import annotations

import http.client
import os
import random
import re
import resource
import signal
import socket
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from benchmarks.serve.servers import cord, cores, erlang, fastapi, memory, missing

DELAY = 0.04
SIZES = (1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
AT_ONCE = 100


def pool(rounds: int, _: float) -> Iterator[str]:
    """A hundred requests of 40 ms at once, by the size of the pool."""
    yield "| pool | ideal | replicas, s | above ideal | threads of one replica, s | above ideal |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for size in SIZES:
        ideal = -(-AT_ONCE // size) * DELAY
        cells = []
        for start in (
            partial(cord, size, "async-demand(1)"),
            partial(cord, 1, threads=size),
        ):
            with start() as (port, _pid):
                asked = [at_once(port, "/work/you") for _ in range(rounds + 1)][1:]
            taken = statistics.median(asked)
            cells.append(f"{taken:.3f} | {taken / ideal - 1:.1%}")
        yield f"| {size} | {ideal:.3f} | {' | '.join(cells)} |"


def at_once(port: int, path: str) -> float:
    """Seconds from the first of a hundred requests to the last answer; connections are open."""
    text = f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
    connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(AT_ONCE)]
    began = time.perf_counter()
    for connection in connections:
        connection.sendall(text)
    for connection in connections:
        answer = connection.recv(4096)
        assert answer.startswith(b"HTTP/1.1 200"), answer
    taken = time.perf_counter() - began
    for connection in connections:
        connection.close()
    return taken


_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_NINETY_NINE = re.compile(r"99%\s+([\d.]+)(us|ms|s)")
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


def wrk(port: int, path: str, seconds: float, connections: int) -> tuple[float, float]:
    """Requests a second, and the time in ms in which 99 of 100 are answered."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{max(seconds, 1):.0f}s", "--latency"]
    told = subprocess.run(
        [*words, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True
    ).stdout
    rate, late = _RATE.search(told), _NINETY_NINE.search(told)
    assert rate is not None and late is not None and "Non-2xx" not in told, told
    return float(rate[1]), float(late[1]) * _UNITS[late[2]]


def speed(rounds: int, seconds: float) -> Iterator[str]:
    """Requests that take no time, beside Erlang and FastAPI with as many processes."""
    if why := missing("wrk"):
        yield f"wrk is not installed: {why}"
        return
    many = cores()
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        with cord(many) as (port, _pid):
            rate = wrk(port, "/hello/you", seconds, 50)
            found.setdefault(f"cord serve, {many} replicas", []).append(rate)
        if not missing("erl"):
            with erlang(100, 0) as (port, _pid):
                rate = wrk(port, "/hello/you", seconds, 50)
                found.setdefault("Erlang, gen_tcp, a pool of 100", []).append(rate)
        if not missing("fastapi"):
            with fastapi(many) as (port, _pid):
                for path, name in (("hello", "def"), ("quick", "async def")):
                    rate = wrk(port, f"/{path}/you", seconds, 50)
                    title = f"uvicorn and FastAPI, {many} processes, {name}"
                    found.setdefault(title, []).append(rate)
    yield "| 50 connections | requests a second | 99 % within ms |"
    yield "|---|--:|--:|"
    for name, all_rounds in found.items():
        rate, late = (statistics.median(column) for column in zip(*all_rounds, strict=True))
        yield f"| {name} | {rate:,.0f} | {late:.1f} |"
    for name in ("erl", "fastapi"):
        if why := missing(name):
            yield f"\n{name} is not installed: {why}"


def connections(_: int, __: float) -> Iterator[str]:
    """Memory of the server with 10,000 connections that are kept open."""
    many = 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 65536
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(most, 65536)), hard))
    text = b"GET /hello/you HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with cord(1) as (port, pid):
        before = memory(pid)
        opened = []
        for number in range(many):
            # one source address has some 28,000 ports, most of them taken in TIME_WAIT by others
            connection = socket.socket()
            connection.bind((f"127.0.0.{2 + number // 5000}", 0))
            connection.connect(("127.0.0.1", port))
            connection.sendall(text)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            opened.append(connection)
        for connection in opened[:: many // 100]:  # they live
            connection.sendall(text)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        after = memory(pid)
        for connection in opened:
            connection.close()
    yield "| connections | server's memory in MB | before |"
    yield "|--:|--:|--:|"
    yield f"| {many:,} | {after:.0f} | {before:.0f} |"


MIXED = """\
import os, time
from collections.abc import Iterator

def quick(name: str) -> str:
    return f"hello {name}"

def slow(seconds: float) -> float:
    time.sleep(seconds)
    return seconds

def echo(data: bytes) -> bytes:
    return data

def stream(pieces: int) -> Iterator[bytes]:
    for _ in range(pieces):
        yield b"x" * 10000

def once(name: str) -> str:
    time.sleep(0.002)
    return name
"""
MIXED_PLAN = """\
[remote.handler]
replicas = 4
pure = true
[remote.handler.functions.once]
pure = false
independent = true
[http]
queue = 8
deadline = "200ms"
[http.routes]
"GET /quick/{name}" = "handler.quick"
"GET /slow" = "handler.slow"
"POST /echo" = "handler.echo"
"GET /stream" = "handler.stream"
"GET /once/{name}" = "handler.once"
"""


def mixed(_: int, seconds: float) -> Iterator[str]:
    """Requests of all kinds while replicas are killed: each is answered, each 5xx has a reason."""
    answers: Counter[tuple[str, int]] = Counter()
    unanswered: Counter[str] = Counter()
    lock = threading.Lock()
    is_over = threading.Event()
    with cord(4, plan=MIXED_PLAN, work=MIXED) as (port, pid):

        def ask(seed: int) -> None:
            chance = random.Random(seed)
            while not is_over.is_set():
                kind, method, path, body = _chosen(chance)
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                try:
                    connection.request(method, path, body)
                    response = connection.getresponse()
                    response.read()
                    with lock:
                        answers[kind, response.status] += 1
                except (OSError, http.client.HTTPException) as error:
                    with lock:
                        unanswered[f"{kind}: {type(error).__name__}"] += 1
                finally:
                    connection.close()

        killed = 0
        with ThreadPoolExecutor(16) as threads:
            for seed in range(16):
                threads.submit(ask, seed)
            until = time.monotonic() + seconds
            chance = random.Random(0)
            while time.monotonic() < until:
                time.sleep(chance.uniform(0.1, 1.0))
                replicas = _replicas(pid)
                if replicas:
                    os.kill(chance.choice(replicas), signal.SIGKILL)
                    killed += 1
            is_over.set()
        counted = _counted(port)
    yield f"{sum(answers.values()):,} requests, {killed} replicas killed, in {seconds:.0f} s\n"
    yield "| route | status | answers | the server's count |"
    yield "|---|--:|--:|--:|"
    for (kind, status), count in sorted(answers.items()):
        yield f"| {kind} | {status} | {count:,} | {counted.get((kind, status), 0):,} |"
    broken = sum(unanswered.values())
    yield f"\nwithout an answer, or with half of one: {broken} ({dict(unanswered) or 'none'})"


def _chosen(chance: random.Random) -> tuple[str, str, str, bytes | None]:
    kind = chance.choice(("quick", "quick", "slow", "echo", "stream", "once"))
    if kind == "echo":
        return kind, "POST", "/echo", chance.randbytes(chance.choice((10, 1000, 200_000)))
    if kind == "slow":
        return kind, "GET", f"/slow?seconds={chance.choice((0.001, 0.02, 0.3))}", None
    if kind == "stream":
        return kind, "GET", f"/stream?pieces={chance.randrange(30)}", None
    return kind, "GET", f"/{kind}/you", None


def _replicas(server: int) -> list[int]:
    """Processes that serve calls, below a server."""
    told = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in told.splitlines()]
    above = {int(pid): int(parent) for pid, parent, _ in rows}

    def is_below(pid: int) -> bool:
        while pid > 1 and pid != server:
            pid = above.get(pid, 0)
        return pid == server

    return [int(pid) for pid, _, name in rows if name == "cord handler" and is_below(int(pid))]


def _counted(port: int) -> dict[tuple[str, int], int]:
    """What the server has counted, by route and status."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    pattern = r'cord_http_requests_total\{method="\w+",route="/(\w+)[^"]*",status="(\d+)"\} (\d+)'
    found: Counter[tuple[str, int]] = Counter()
    for kind, status, count in re.findall(pattern, text):
        found[kind, int(status)] += int(count)
    return found


ROWS = {"pool": pool, "speed": speed, "connections": connections, "mixed": mixed}
