"""Connections: kept, pipelined, abused."""

from __future__ import annotations

import socket
import time

import pytest
from web_lab import PLAN, WORK, Serve, Server, read_all, read_until, wait_for

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
GET = b"GET /hello/you HTTP/1.1\r\nhost: localhost\r\n\r\n"


def test_a_connection_serves_many_requests(usual: Server) -> None:
    with usual.connect() as connection:
        for _ in range(3):
            connection.sendall(GET)
            assert read_until(connection, b"hello you").startswith(b"HTTP/1.1 200 OK")


def test_requests_may_be_sent_before_answers_come(usual: Server) -> None:
    names = [f"n{number}" for number in range(20)]
    text = "".join(f"GET /hello/{name} HTTP/1.1\r\nhost: localhost\r\n\r\n" for name in names)
    whole = usual.say(text[:-2].encode() + b"connection: close\r\n\r\n").decode()
    at = [whole.index(f"hello {name}") for name in names]
    assert at == sorted(at)
    assert whole.count("HTTP/1.1 200 OK") == 20


@pytest.mark.parametrize(
    "head",
    [
        b"transfer-encoding: chunked\r\ncontent-length: 5",
        b"content-length: 5\r\ntransfer-encoding: chunked",
        b"content-length: 5\r\ncontent-length: 6",
        b"content-length: 5, 6",
        b"content-length: +5",
        b"content-length: -1",
        b"transfer-encoding: gzip",
        b"transfer-encoding: chunked, gzip",
        b"transfer-encoding : chunked",
        b"transfer-encoding: chunked\r\ntransfer-encoding: identity",
        b"x-a: b\r\n content-length: 5",
    ],
)
def test_nothing_is_smuggled_behind_a_body_whose_end_is_unclear(usual: Server, head: bytes) -> None:
    smuggled = b"0\r\n\r\nGET /hello/smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n"
    text = b"POST /echo HTTP/1.1\r\nhost: localhost\r\n" + head + b"\r\n\r\n" + smuggled
    answer = usual.say(text)
    assert b"hello smuggled" not in answer
    assert answer.count(b"HTTP/1.1") == 1
    assert b"connection: close" in answer


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET /hello/x HTTP/1.1\r\nhost: localhost\r\nhost: other\r\n\r\n", 400),
        (b"GET /hello/x HTTP/1.1\r\nhost: localhost\r\nx\0y: z\r\n\r\n", 400),
        (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n", 414),
        (b"GET /hello/x HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 50_000 + b"\r\n\r\n", 431),
        (b"GET /hello/x HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * 200 + b"\r\n", 431),
        (b"POST /small HTTP/1.1\r\nhost: localhost\r\ncontent-length: 101\r\n\r\n", 413),
        (
            b"POST /small HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
            b"65\r\n" + b"a" * 101 + b"\r\n0\r\n\r\n",
            413,
        ),
        (
            b"POST /echo HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            400,
        ),
        (b"GET /hello/%ff HTTP/1.1\r\nhost: localhost\r\n\r\n", 400),
    ],
)
def test_what_is_too_much_or_no_http_is_told_in_problem_details(
    usual: Server, text: bytes, status: int
) -> None:
    with usual.connect() as connection:
        connection.sendall(text)
        answer = read_until(connection, b"}")
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer
    assert b"content-type: application/problem+json" in answer
    assert f'"status":{status}'.encode() in answer


def test_who_sends_a_head_too_slowly_is_told_so_and_let_go(usual: Server) -> None:
    with usual.connect() as connection:
        connection.sendall(b"GET /hello/you HTT")
        for letter in b"P/1.1\r\nx: aaaaaaaaaaaaaaaaaaa":
            time.sleep(0.1)
            try:
                connection.sendall(bytes([letter]))
            except OSError:
                break
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("began", [b"PRI * HTTP/2.0\r\n\r\nSM\r\n", PREFACE], ids=["part", "whole"])
def test_who_begins_with_http2_and_goes_on_with_nothing_is_not_told_in_http1(
    usual: Server, began: bytes
) -> None:
    assert b" 408 " not in usual.say(began)


def test_what_is_said_of_half_a_request_is_said_once(usual: Server) -> None:
    assert usual.say(b"PUT /made/x HTTP/1.1\r\nHo").count(b"HTTP/1.1 ") == 1


def test_who_sends_nothing_is_let_go(usual: Server) -> None:
    with usual.connect() as connection:
        assert read_all(connection) == b""


def test_who_sends_a_body_too_slowly_is_told_so(usual: Server) -> None:
    for path in (b"/echo", b"/digest"):
        with usual.connect() as connection:
            connection.sendall(
                b"POST " + path + b" HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nabc"
            )
            assert read_until(connection, b"}").startswith(b"HTTP/1.1 408 "), path


def test_who_does_not_read_is_let_go(usual: Server) -> None:
    route = 'cord_http_requests_total{method="GET",route="/zeros",status="200"}'
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", usual.port))
        connection.sendall(b"GET /zeros?size=1000000000 HTTP/1.1\r\nhost: localhost\r\n\r\n")
        wait_for(lambda: usual.metric(route) == 1)
    wait_for(lambda: usual.metric('cord_pool_busy{module="work"}') == 0)


def test_a_request_that_ends_in_the_midst_leaves_nothing(usual: Server) -> None:
    for text in (GET[:20], b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\na"):
        with usual.connect() as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            read_all(connection)
    wait_for(lambda: usual.metric("cord_http_connections") == 1)
    assert usual.metric('cord_pool_busy{module="work"}') == 0


def test_of_connections_there_are_so_many(serve: Serve) -> None:
    server = serve(WORK, PLAN, "--set", "http.connections=2", "--set", 'http.patience="30s"')
    with server.connect() as one, server.connect() as other:
        for connection in (one, other):
            connection.sendall(GET)
            read_until(connection, b"hello you")
        turned_away = server.say(b"")
        assert turned_away.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: " in turned_away
    wait_for(lambda: server.ask("/healthz").status == 200)


def test_an_idle_connection_is_closed(serve: Serve) -> None:
    server = serve(WORK, PLAN, "--set", 'http.idle="200ms"')
    with server.connect() as connection:
        connection.sendall(GET)
        read_until(connection, b"hello you")
        assert read_all(connection) == b""
