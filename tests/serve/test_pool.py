"""Places, the queue, deadlines, priorities; replicas that end."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from web_lab import Serve, Server, wait_for

WORK = """\
import os, time

def wait_for(path: str) -> str:
    while not os.path.exists(path):
        time.sleep(0.005)
    return "there"

def note(name: str) -> str:
    with open("notes", "a") as file:
        file.write(name + "\\n")
    return name

def spin() -> None:
    while True:
        pass

def deaf() -> None:
    while True:
        try:
            time.sleep(10)
        except BaseException:
            pass

def end(name: str) -> None:
    note(name)
    os._exit(3)

seen = 0

def number() -> int:
    global seen
    seen += 1
    return seen
"""
ROUTES = """
[http.routes]
"GET /wait" = "work.wait_for"
"GET /note/{name}" = { function = "work.note", priority = { header = "X-Priority" } }
"GET /note/{name}/{urgency}" = { function = "work.end", priority = { query = "p" } }
"GET /spin" = { function = "work.spin", deadline = "200ms" }
"GET /deaf" = { function = "work.deaf", deadline = "200ms" }
"GET /late" = { function = "work.wait_for", deadline = "200ms" }
"GET /end" = "work.end"
"GET /number" = "work.number"
"""
ROUTES = "\n".join(line for line in ROUTES.splitlines() if "urgency" not in line)
INDEPENDENT = '[remote.work]\nreplicas = 1\nindependent = true\ncallstyle = "async-demand(1)"\n'
PURE = "[remote.work]\nreplicas = 1\npure = true\ncallstyle = 'async-demand(1)'\n"
BUSY = 'cord_pool_busy{module="work"}'
WAITING = 'cord_pool_waiting{module="work"}'


def release(server: Server, name: str) -> None:
    (server.folder / name).touch()


def notes(server: Server) -> list[str]:
    path = server.folder / "notes"
    return path.read_text().split() if path.exists() else []


def test_a_full_queue_says_so_at_once(serve: Serve) -> None:
    server = serve(WORK, INDEPENDENT + "[http]\nqueue = 2" + ROUTES)
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(server.ask, "/wait?path=go") for _ in range(3)]
        wait_for(lambda: server.metric(WAITING) == 2)
        full = server.ask("/number")
        assert (full.status, full.headers["retry-after"]) == (503, "1")
        assert full.headers["content-type"] == "application/problem+json"
        release(server, "go")
        assert [one.result().status for one in asked] == [200, 200, 200]
    assert server.ask("/number").status == 200


def test_those_who_wait_are_served_by_their_priority(serve: Serve) -> None:
    server = serve(WORK, INDEPENDENT + "[http]\nqueue = 10" + ROUTES)
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(server.ask, "/wait?path=go")]
        wait_for(lambda: server.metric(BUSY) == 1)
        for number, priority in enumerate(["", "-1", "5", "x", "7.5"]):
            asked.append(pool.submit(server.ask, f"/note/n{number}", x_priority=priority))
            wait_for(lambda number=number: server.metric(WAITING) == number + 1)
        release(server, "go")
        assert all(one.result().status == 200 for one in asked)
    assert notes(server) == ["n4", "n2", "n0", "n3", "n1"]


@pytest.mark.parametrize("plan", [INDEPENDENT, PURE], ids=["independent", "pure"])
def test_what_is_late_leaves_the_queue_or_is_ended(serve: Serve, plan: str) -> None:
    server = serve(WORK, plan + "[http]\nqueue = 10" + ROUTES)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(server.ask, "/wait?path=go")
        wait_for(lambda: server.metric(BUSY) == 1)
        assert server.ask("/late?path=never").status == 504  # it has waited
        wait_for(lambda: server.metric(WAITING) == 0)
        release(server, "go")
        assert first.result().status == 200
    for path in ("/late?path=never", "/spin", "/deaf"):  # these have run
        assert server.ask(path).status == 504, path
        wait_for(lambda: server.metric(BUSY) == 0)
    assert server.ask("/number").status == 200


def test_a_client_that_hangs_up_frees_its_place(serve: Serve) -> None:
    server = serve(WORK, PURE + "[http]\nqueue = 10" + ROUTES)
    text = b"GET /wait?path=never HTTP/1.1\r\nhost: localhost\r\n\r\n"
    connections = [server.connect() for _ in range(3)]
    for connection in connections:
        connection.sendall(text)
    wait_for(lambda: server.metric(WAITING) == 2)
    for connection in connections:
        connection.close()
    wait_for(lambda: server.metric(BUSY) == 0)
    assert server.ask("/number").status == 200
    route = 'cord_http_requests_total{method="GET",route="/wait",status="499"}'
    assert server.metric(route) == 3


def test_a_call_with_effects_is_not_cut_by_who_hangs_up(serve: Serve) -> None:
    server = serve(WORK, INDEPENDENT + "[http]\nqueue = 10" + ROUTES)
    running, waiting = server.connect(), server.connect()
    running.sendall(b"GET /wait?path=go HTTP/1.1\r\nhost: localhost\r\n\r\n")
    wait_for(lambda: server.metric(BUSY) == 1)
    waiting.sendall(b"GET /note/never HTTP/1.1\r\nhost: localhost\r\n\r\n")
    wait_for(lambda: server.metric(WAITING) == 1)
    waiting.close()
    wait_for(lambda: server.metric(WAITING) == 0)
    running.close()
    release(server, "go")
    assert server.ask("/note/after").status == 200
    assert notes(server) == ["after"]


def test_a_call_with_effects_is_made_once_whatever_ends(serve: Serve) -> None:
    server = serve(WORK, INDEPENDENT + "[http]" + ROUTES)
    lost = server.ask("/end?name=once")
    assert (lost.status, "may have run" in lost.json["detail"]) == (502, True)
    assert notes(server) == ["once"]
    assert server.ask("/number").status == 200


def test_a_pure_call_is_made_again_where_its_replica_has_ended(serve: Serve) -> None:
    server = serve(WORK, PURE + "[http]" + ROUTES)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(server.ask, "/wait?path=go")
        wait_for(lambda: server.metric(BUSY) == 1)
        (replica,) = wait_for(server.replicas)
        os.kill(replica, signal.SIGKILL)
        wait_for(lambda: [one for one in server.replicas() if one != replica])
        release(server, "go")
        assert asked.result().status == 200


def test_state_is_kept_by_one_replica_and_begins_anew_with_it(serve: Serve) -> None:
    server = serve(WORK, "[remote.work]\n[http]" + ROUTES)
    assert [server.ask("/number").json for _ in range(3)] == [1, 2, 3]
    assert server.ask("/end?name=x").status == 502
    assert [server.ask("/number").json for _ in range(2)] == [1, 2]


def test_each_request_is_answered_while_replicas_are_killed(serve: Serve) -> None:
    plan = "[remote.work]\nreplicas = 3\npure = true\n[http]\nqueue = 1000"
    server = serve(WORK, plan + ROUTES)
    statuses: list[int] = []
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            statuses.append(server.ask("/number").status)

    with ThreadPoolExecutor() as pool:
        for _ in range(4):
            pool.submit(ask)
        for _ in range(5):
            done = len(statuses)
            wait_for(lambda done=done: len(statuses) > done + 20)
            for replica in wait_for(server.replicas)[:1]:
                os.kill(replica, signal.SIGKILL)
        is_over.set()
    counted = {
        status: server.metric(
            f'cord_http_requests_total{{method="GET",route="/number",status="{status}"}}'
        )
        for status in set(statuses)
    }
    assert counted == {status: statuses.count(status) for status in set(statuses)}
    assert set(statuses) == {200}


def test_no_replica_begins_with_the_import_of_what_reads_requests(serve: Serve) -> None:
    work = "import sys\nmade = 'cord.web.requests' in sys.modules\ndef f() -> bool: return made\n"
    server = serve(
        work, '[remote.work]\npure = true\nreplicas = 2\n[http.routes]\n"GET /" = "work.f"\n'
    )
    assert [server.ask("/").json for _ in range(2)] == [True, True]


TOGETHER = """\
import time

def one(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return 100 + number

def many(numbers: list[int]) -> list[int]:
    with open("many", "a") as file:
        file.write(f"{len(numbers)}\\n")
    if 3 in numbers:
        raise ValueError("one of them is three")
    return [100 + number for number in numbers]

def wait(seconds: float) -> None:
    time.sleep(seconds)
"""
TOGETHER_PLAN = """\
[remote.work]
pure = true
replicas = 1
callstyle = "async-demand(1)"
[remote.work.functions.one]
gather = "many"
[http]
[http.routes]
"GET /one/{number}" = "work.one"
"GET /wait" = "work.wait"
"""


def test_requests_that_wait_together_are_served_by_one_call(serve: Serve) -> None:
    server = serve(TOGETHER, TOGETHER_PLAN)
    with ThreadPoolExecutor(32) as pool:
        busy = pool.submit(server.ask, "/wait?seconds=0.5")
        wait_for(lambda: server.metric(BUSY) == 1)
        asked = [pool.submit(server.ask, f"/one/{10 + number}") for number in range(12)]
        assert [one.result().json for one in asked] == [110 + number for number in range(12)]
        assert busy.result().status == 204
    assert sum(map(int, (server.folder / "many").read_text().split())) > 6


def test_what_is_wrong_with_one_of_them_is_that_ones(serve: Serve) -> None:
    server = serve(TOGETHER, TOGETHER_PLAN)
    with ThreadPoolExecutor(32) as pool:
        pool.submit(server.ask, "/wait?seconds=0.5")
        wait_for(lambda: server.metric(BUSY) == 1)
        asked = [pool.submit(server.ask, f"/one/{number}") for number in (1, 2, 3, 4, "x")]
        assert [one.result().status for one in asked] == [200, 200, 500, 200, 422]
        assert [asked[at].result().json for at in (0, 1, 3)] == [101, 102, 104]
