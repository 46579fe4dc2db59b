"""Requests that threads of one process serve, and streams that end otherwise than they should."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from web_lab import Serve, Server, read_all, read_until, wait_for

MEET = """\
import os, threading, time

together = threading.Barrier(8)

def meet() -> int:
    return together.wait(30) + os.getpid() * 0

def wait_for(path: str) -> int:
    while not os.path.exists(path):
        time.sleep(0.005)
    return os.getpid()

def number() -> int:
    return os.getpid()
"""
THREADS = "[remote.work]\nthreads = 8\nreplicas = 1\npure = true\n[http]\nqueue = 0\n"
THREADS_ROUTES = """[http.routes]
"GET /meet" = "work.meet"
"GET /wait" = "work.wait_for"
"GET /late" = { function = "work.wait_for", deadline = "200ms" }
"GET /number" = "work.number"
"""
BUSY = 'cord_pool_busy{module="work"}'


def test_as_many_requests_are_served_at_once_as_there_are_threads(serve: Serve) -> None:
    server = serve(MEET, THREADS + THREADS_ROUTES)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(server.ask, "/meet") for _ in range(8)]
        answers = [one.result() for one in asked]
    assert [one.status for one in answers] == [200] * 8
    assert sorted(one.json for one in answers) == list(range(8))


def test_where_all_threads_are_taken_and_none_may_wait_the_next_is_told_so(serve: Serve) -> None:
    server = serve(MEET, THREADS + THREADS_ROUTES)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(server.ask, "/wait?path=go") for _ in range(8)]
        wait_for(lambda: server.metric(BUSY) == 8)
        full = server.ask("/number")
        assert (full.status, full.headers["retry-after"]) == (503, "1")
        (server.folder / "go").touch()
        answers = [one.result() for one in asked]
    assert {one.status for one in answers} == {200}
    assert len({one.json for one in answers}) == 1, "they are threads of one process"


def test_what_is_late_in_one_thread_does_not_end_the_others(serve: Serve) -> None:
    server = serve(MEET, THREADS + THREADS_ROUTES)
    with ThreadPoolExecutor(8) as pool:
        asked = pool.submit(server.ask, "/wait?path=go")
        wait_for(lambda: server.metric(BUSY) == 1)
        assert server.ask("/late?path=go").status == 504
        before = server.ask("/number").json
        (server.folder / "go").touch()
        assert (asked.result().status, asked.result().json) == (200, before)
    assert server.ask("/number").json == before


STREAMS = """\
import os, time
from collections.abc import Iterator

def count(path: str) -> Iterator[str]:
    try:
        yield f"first {os.getpid()}\\n"
        while not os.path.exists(path):
            time.sleep(0.005)
            yield "more\\n"
        yield "last\\n"
    finally:
        open("closed", "w").close()

def never() -> Iterator[str]:
    time.sleep(60)
    yield "late"

def wait(path: str) -> Iterator[str]:
    while not os.path.exists(path):
        time.sleep(0.005)
    yield "there"

def join(body: Iterator[bytes], path: str) -> Iterator[bytes]:
    pieces = [next(body)]
    while not os.path.exists(path):
        time.sleep(0.005)
    yield from [*pieces, *body]

def long() -> Iterator[str]:
    yield "first\\n"
    time.sleep(0.4)
    yield "last\\n"

def number() -> int:
    return 7
"""
STREAMS_PLAN = """\
[remote.work]
replicas = 1
pure = true
[http]
[http.routes]
"GET /count" = "work.count"
"GET /never" = { function = "work.never", deadline = "200ms" }
"GET /wait" = "work.wait"
"POST /join" = "work.join"
"GET /long" = { function = "work.long", deadline = "300ms" }
"GET /number" = "work.number"
"""


def begin(server: Server, target: str) -> socket.socket:
    """Send a request; the connection."""
    connection = server.connect()
    connection.sendall(f"GET {target} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
    return connection


def test_a_stream_whose_replica_is_killed_does_not_end_as_if_it_were_whole(serve: Serve) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    with contextlib.closing(begin(server, "/count?path=never")) as connection:
        read_until(connection, b"first ")
        (replica,) = wait_for(server.replicas)
        os.kill(replica, signal.SIGKILL)
        assert not read_all(connection).endswith(b"0\r\n\r\n")
    assert server.ask("/number").json == 7


def test_a_stream_that_has_not_begun_is_made_again_where_its_replica_has_ended(
    serve: Serve,
) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(server.ask, "/wait?path=go")
        wait_for(lambda: server.metric(BUSY) == 1)
        (replica,) = wait_for(server.replicas)
        time.sleep(0.1)  # it has connected
        os.kill(replica, signal.SIGKILL)
        (server.folder / "go").touch()
        assert (asked.result().status, asked.result().body) == (200, b"there")


def test_a_body_that_has_gone_to_a_replica_that_ended_is_not_sent_again(serve: Serve) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(server.ask, "/join?path=go", "POST", b"some")
        wait_for(lambda: server.metric(BUSY) == 1)
        (replica,) = wait_for(server.replicas)
        time.sleep(0.1)
        os.kill(replica, signal.SIGKILL)
        (server.folder / "go").touch()
        assert asked.result().status == 502
    assert server.ask("/number").json == 7


def test_a_client_that_leaves_a_stream_closes_its_generator(serve: Serve) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    connection = begin(server, "/count?path=never")
    read_until(connection, b"first ")
    connection.close()
    wait_for(lambda: server.metric(BUSY) == 0)
    assert server.ask("/number").json == 7


def test_a_stream_that_does_not_begin_within_its_deadline_is_an_error(serve: Serve) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    assert server.ask("/never").status == 504
    wait_for(lambda: server.metric(BUSY) == 0)
    assert server.ask("/number").json == 7


def test_a_deadline_is_for_the_head_of_a_stream(serve: Serve) -> None:
    server = serve(STREAMS, STREAMS_PLAN)
    assert server.ask("/long").body == b"first\nlast\n"
