"""What the plan says of calls holds for requests: on this machine, and on nodes."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from web_lab import Serve, Server, wait_for

WORK = """\
import os, sys, time
from collections.abc import Iterator
from dataclasses import dataclass

class Busy(Exception):
    status = 429
    retry_after = 0.01

def tried(name: str) -> int:
    with open(name, "a") as file:
        file.write("x")
    return os.path.getsize(name)

def flaky(name: str, fails: int) -> str:
    number = tried(name)
    print("try", number, flush=True)
    if number <= fails:
        raise Busy(f"try {number}")
    return f"try {number}"

def stream(name: str, fails: int) -> Iterator[str]:
    number = tried(name)
    if number <= fails:
        raise Busy(f"try {number}")
    yield f"try {number}"

def taken(parts: Iterator[bytes], name: str) -> str:
    number = tried(name)
    raise Busy(f"{b''.join(parts).decode()} {number}")

def end(name: str) -> None:
    tried(name)
    os._exit(3)

def slow() -> None:
    time.sleep(600)

def first_is_slow(name: str) -> int:
    number = tried(name)
    if number == 1:
        time.sleep(600)
    return number

def drips(name: str) -> Iterator[str]:
    number = tried(name)
    for part in ("a", "b", "c"):
        yield f"{part}{number}"
        time.sleep(0.3)

sizes = {}

def same(data: bytes) -> list[int]:
    sizes.setdefault(len(data), set()).add(id(data))
    kept.append(data)
    return [len(data), len(sizes[len(data)])]

kept = []

@dataclass
class Table:
    rows: list[int]

def total(table: Table, scale: int = 1) -> int:
    table.rows.append(1)
    return sum(table.rows) * scale

def member(rows: list[int], scale: int) -> int:
    return sum(rows) * scale

def note(name: str) -> str:
    tried("notes-" + name)
    with open("notes", "a") as file:
        file.write(name + "\\n")
    return name

def wait_for(path: str) -> str:
    while not os.path.exists(path):
        time.sleep(0.005)
    return path
"""
NODES = """
[engine]
kind = "command"
nodes = 1
launch = "{agent}"
"""
PLACES = pytest.mark.parametrize("engine", ["", NODES], ids=["local", "nodes"])


def plan(engine: str, routes: str, keys: str = "", functions: str = "") -> str:
    return (
        f"{engine}\n[remote.work]\nreplicas = 1\npure = true\n{keys}\n{functions}\n"
        f"[http]\n[http.routes]\n{routes}\n"
    )


@PLACES
def test_a_request_is_made_again_after_exceptions_that_the_plan_names(
    serve: Serve, engine: str
) -> None:
    routes = '"GET /flaky" = "work.flaky"\n"GET /plain" = "work.end"'
    server = serve(WORK, plan(engine, routes, 'retries = 3\nretry_on = ["work.Busy"]'))
    assert server.ask("/flaky?name=a&fails=2").body == b"try 3"
    last = server.ask("/flaky?name=b&fails=9")
    assert (last.status, last.json["detail"]) == (429, "try 4")
    assert server.ask("/flaky?name=c&fails=0").body == b"try 1"
    assert server.process.stdout is not None
    printed = [server.process.stdout.readline() for _ in range(3)]
    assert printed == ["try 3\n", "try 4\n", "try 1\n"]  # what other tries print is discarded


def test_a_stream_is_made_again_before_its_first_item(serve: Serve) -> None:
    routes = '"GET /stream" = "work.stream"\n"POST /taken/{name}" = "work.taken"'
    server = serve(WORK, plan("", routes, 'retries = 3\nretry_on = ["work.Busy"]'))
    assert server.ask("/stream?name=a&fails=2").body == b"try 3"
    assert server.ask("/stream?name=b&fails=9").json["detail"] == "try 4"
    # a body that was read comes once
    assert server.ask("/taken/c", "POST", b"body").json["detail"] == "body 1"


@PLACES
def test_how_often_a_request_is_made_again_where_its_replica_ends(
    serve: Serve, engine: str
) -> None:
    server = serve(WORK, plan(engine, '"GET /end" = "work.end"', "retries = 1"))
    assert server.ask("/end?name=a").status == 502
    assert (server.folder / "a").read_text() == "xx"


@PLACES
def test_a_functions_deadline_is_a_504(serve: Serve, engine: str) -> None:
    server = serve(WORK, plan(engine, '"GET /slow" = "work.slow"', 'deadline = "100ms"'))
    late = server.ask("/slow")
    assert (late.status, "100ms" in late.json["detail"]) == (504, True)


@PLACES
def test_a_request_that_takes_long_is_made_a_second_time(serve: Serve, engine: str) -> None:
    text = plan(engine, '"GET /slow" = "work.first_is_slow"', 'hedge = "200ms"')
    server = serve(WORK, text.replace("replicas = 1", "replicas = 2"))
    # one call in twenty may have a copy
    with ThreadPoolExecutor(8) as pool:
        names = [f"/slow?name=warm{number}" for number in range(40)]
        for name in names:
            (server.folder / name.rpartition("=")[2]).write_text("x")
        assert [one.json for one in pool.map(server.ask, names)] == [2] * 40
    assert server.ask("/slow?name=a").json == 2


def test_a_stream_is_sent_by_one_call(serve: Serve) -> None:
    text = plan("", '"GET /drips" = "work.drips"', 'hedge = "100ms"')
    server = serve(WORK, text.replace("replicas = 1", "replicas = 2"))
    with ThreadPoolExecutor(8) as pool:
        names = [f"/drips?name={number}" for number in range(24)]
        assert [one.body for one in pool.map(server.ask, names)] == [b"a1b1c1"] * 24


@PLACES
@pytest.mark.parametrize("kept", ['["data"]', '"auto"'])
def test_a_body_that_comes_again_is_kept_by_replicas(serve: Serve, engine: str, kept: str) -> None:
    server = serve(WORK, plan(engine, '"POST /same" = "work.same"', f"resident = {kept}"))
    body = b"x" * 100_000
    answers = [server.ask("/same", "POST", body).json for _ in range(4)]
    assert answers[-1][1] < 4, "each had bytes of its own"
    assert server.ask("/same", "POST", b"y" * 50_000).json == [50_000, 1]
    assert not [line for line in server.lines if "warning" in line]


def test_a_body_that_is_kept_is_decoded_for_each_request(serve: Serve) -> None:
    routes = '"POST /total" = "work.total"'
    server = serve(WORK, plan("", routes, 'resident = ["table"]'))
    rows = {"rows": [1] * 20_000}
    asked = [server.ask_json(f"/total?scale={scale}", rows).json for scale in (1, 2, 3)]
    assert asked == [20_001, 40_002, 60_003]


def test_what_cannot_hold_for_requests_is_told(serve: Serve) -> None:
    routes = '"POST /member" = "work.member"\n"POST /total" = "work.total"'
    keys = 'resident = ["rows", "table"]\npriority = "scale"'
    server = serve(WORK, plan("", routes, keys, ""))
    told = server.await_line("names rows")
    assert "POST /member" in told
    assert server.await_line("let it be the whole body").startswith("hint: ")
    server.await_line('the priority "scale" of work.member()')
    assert not [line for line in server.lines if "names table" in line]


@PLACES
@pytest.mark.parametrize("by", ["query", "path"])
def test_a_parameter_may_tell_the_priority(serve: Serve, engine: str, by: str) -> None:
    routes = {
        "query": '"GET /note/{name}" = { function = "work.note", priority = { query = "p" } }',
        "path": '"GET /note/{name}" = { function = "work.note", priority = { path = "name" } }',
    }
    keys = 'callstyle = "async-demand(1)"'
    text = plan(engine, f'"GET /wait" = "work.wait_for"\n{routes[by]}', keys)
    server = serve(WORK, text + '"GET /last/{name}" = { function = "work.note", priority = -9 }\n')
    with ThreadPoolExecutor() as pool:
        waits = pool.submit(server.ask, "/wait?path=go")
        _await(server, "busy", 1)
        paths = ["/last/0", *(f"/note/{number}?p={number}" for number in (2, 1, 3))]
        asked = []
        for number, path in enumerate(paths, 1):
            asked.append(pool.submit(server.ask, path))
            _await(server, "waiting", number)
        (server.folder / "go").touch()
        assert {one.result().status for one in (waits, *asked)} == {200}
    assert (server.folder / "notes").read_text().split() == ["3", "2", "1", "0"]


def _await(server: Server, what: str, count: int) -> None:
    wait_for(lambda: server.metric(f'cord_pool_{what}{{module="work"}}') == count)


@PLACES
def test_requests_begin_at_the_plans_rate(serve: Serve, engine: str) -> None:
    routes = '"GET /note/{name}" = { function = "work.note", deadline = "700ms" }'
    server = serve(WORK, plan(engine, routes, 'rate = "1/h"'))
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(server.ask, f"/note/{number}") for number in range(3)]
        assert Counter(one.result().status for one in asked) == {200: 1, 504: 2}
    assert len((server.folder / "notes").read_text().split()) == 1
