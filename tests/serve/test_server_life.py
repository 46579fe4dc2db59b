"""How a server begins, reloads and ends; what is said when it cannot."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from web_lab import Serve, Server, read_all, read_until, wait_for

WORK = """\
import os, time

def version() -> str:
    return "one"

def wait_for(path: str) -> str:
    print("waiting", flush=True)
    while not os.path.exists(path):
        time.sleep(0.005)
    return "one"
"""
PLAN = """\
[remote.work]
replicas = 2
pure = true
[http]
[http.routes]
"GET /version" = "work.version"
"GET /wait" = "work.wait_for"
"""
BUSY = 'cord_pool_busy{module="work"}'


def test_what_was_accepted_is_answered_before_the_end(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    kept = http.client.HTTPConnection("127.0.0.1", server.port)
    kept.request("GET", "/version")
    kept.getresponse().read()
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(server.ask, "/wait?path=go") for _ in range(5)]
        wait_for(lambda: server.metric('cord_pool_waiting{module="work"}') == 3)
        server.signal(signal.SIGTERM)
        wait_for(lambda: not _listens(server.port))
        assert server.process.poll() is None
        (server.folder / "go").touch()
        assert [one.result().body for one in asked] == [b"one"] * 5
        assert [one.result().headers["connection"] for one in asked] == ["close"] * 5
    assert server.process.wait(60) == 0
    assert server.replicas() == []


def test_what_the_kernel_has_taken_when_the_end_comes_is_answered(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    asks = b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"
    kept = [server.connect() for _ in range(10)]
    for one in kept:
        one.sendall(asks)
        read_until(one, b"one")
    silent = [server.connect() for _ in range(10)]
    count = len(kept) + len(silent)
    wait_for(lambda: server.metric("cord_http_connections") == count + 1)
    server.signal(signal.SIGSTOP)
    new = [server.connect() for _ in range(10)]
    for one in (*kept, *silent, *new):
        one.sendall(asks)
    server.signal(signal.SIGTERM)
    server.signal(signal.SIGCONT)
    answers = [read_all(one) for one in (*kept, *silent, *new)]
    assert [answer[-3:] for answer in answers] == [b"one"] * 30
    assert server.process.wait(60) == 0


def test_a_reload_that_takes_long_holds_up_no_end(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    (server.folder / "work.py").write_text(
        "import time\nopen('began', 'w').close()\ntime.sleep(600)\n"
    )
    server.signal(signal.SIGHUP)
    wait_for((server.folder / "began").exists)
    assert server.ask("/version").body == b"one"
    server.signal(signal.SIGTERM)
    assert server.process.wait(60) == 0
    server.await_line("not reloaded, as it is to end")
    assert server.replicas() == []


def _listens(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.connect()
    except OSError:
        return False
    connection.close()
    return True


def test_a_second_signal_ends_it_at_once(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(server.ask, "/wait?path=never")
        wait_for(lambda: server.metric(BUSY) == 1)
        server.signal(signal.SIGINT)
        wait_for(lambda: not _listens(server.port))
        server.signal(signal.SIGINT)
        assert server.process.wait(60) == 1
        with pytest.raises((http.client.HTTPException, OSError)):
            asked.result()


def test_a_reload_brings_new_code_and_fails_no_request(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    found: list[tuple[int, bytes]] = []
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            answer = server.ask("/version")
            found.append((answer.status, answer.body))

    with ThreadPoolExecutor() as pool:
        old = pool.submit(server.ask, "/wait?path=go")
        wait_for(lambda: server.metric(BUSY) == 1)
        asking = [pool.submit(ask) for _ in range(2)]
        wait_for(lambda: found)
        (server.folder / "work.py").write_text(WORK.replace('"one"', '"two!"'))
        plan = PLAN + '"GET /more" = "work.version"\n'
        (server.folder / "cord.toml").write_text(plan)
        server.signal(signal.SIGHUP)
        wait_for(lambda: (200, b"two!") in found)
        assert server.ask("/more").body == b"two!"
        is_over.set()
        for one in asking:
            one.result()
        assert not old.done()
        (server.folder / "go").touch()
        assert old.result().body == b"one"
    assert set(found) == {(200, b"one"), (200, b"two!")}
    wait_for(lambda: len(server.replicas()) <= 2)
    assert server.end() == 0


EDITED = """\
import os
import inside.first

def version() -> str:
    import inside.late
    return "one " + inside.first.VERSION + inside.late.VERSION

def end() -> str:
    os._exit(3)
"""


def test_replicas_that_start_later_run_what_was_there_when_the_server_began(
    serve: Serve, tmp_path: Path
) -> None:
    def lay_out(version: str) -> None:
        (tmp_path / "inside").mkdir(exist_ok=True)
        (tmp_path / "inside" / "__init__.py").write_text("from . import late\n")
        for name in ("first", "late"):
            text = f'VERSION = "{name} {version} "\n'
            (tmp_path / "inside" / f"{name}.py").write_text(text)
        (tmp_path / "work.py").write_text(EDITED.replace("one", version))

    lay_out("one")
    plan = PLAN.replace('"GET /wait" = "work.wait_for"', '"GET /end" = "work.end"')
    server = serve(EDITED, plan)
    assert server.ask("/version").body == b"one first one late one "
    lay_out("another")
    before = set(server.replicas())
    server.ask("/end")
    wait_for(lambda: not before & set(server.replicas()))
    assert server.ask("/version").body == b"one first one late one "
    (tmp_path / "work.py").write_text("this is no Python")
    server.signal(signal.SIGHUP)
    server.await_line("not reloaded")
    server.ask("/end")
    assert server.ask("/version").body == b"one first one late one "
    lay_out("another")
    server.signal(signal.SIGHUP)
    wait_for(lambda: server.ask("/version").body == b"another first another late another ")
    assert server.end() == 0


def test_a_file_that_changes_is_a_reload_if_that_is_asked_for(serve: Serve) -> None:
    server = serve(WORK, PLAN, "--reload")
    (server.folder / "work.py").write_text(WORK.replace('"one"', '"two!"'))
    server.await_line("reloaded")
    assert server.ask("/version").body == b"two!"
    assert server.end() == 0


def test_a_reload_that_cannot_be_changes_nothing(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    (server.folder / "work.py").write_text("this is no Python")
    server.signal(signal.SIGHUP)
    server.await_line("not reloaded")
    assert server.ask("/version").body == b"one"
    assert server.end() == 0


def test_a_server_whose_starter_of_replicas_dies_serves_again(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    assert server.ask("/version").body == b"one"
    (server.folder / "work.py").write_text(WORK.replace("one", "two"))
    pid = server.process.pid
    starter = int(Path(f"/proc/{pid}/task/{pid}/children").read_text())

    def has_heir() -> bool:
        children = Path(f"/proc/{starter}/task/{starter}/children").read_text().split()
        return any(Path(f"/proc/{one}/comm").read_text() == "cord heir\n" for one in children)

    wait_for(has_heir)
    os.kill(starter, signal.SIGKILL)
    server.await_line("started again")
    assert server.ask("/version").body == b"one"  # what was loaded when it began
    assert server.ask("/readyz").status == 200
    wait_for(lambda: not Path(f"/proc/{starter}").exists())
    assert server.end() == 0


def test_what_calls_print_is_the_servers(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    (server.folder / "go").touch()
    assert server.ask("/wait?path=go").status == 200
    assert server.process.stdout is not None
    assert server.process.stdout.readline() == "waiting\n"
    assert server.end() == 0


def test_requests_are_served_where_nobody_reads_what_calls_print(serve: Serve) -> None:
    server = serve(WORK, PLAN)
    (server.folder / "go").touch()
    assert server.process.stdout is not None
    server.process.stdout.close()
    assert [server.ask("/wait?path=go").status for _ in range(4)] == [200] * 4
    assert server.end() == 0


def test_a_server_needs_no_streams(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "go").touch()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    (tmp_path / "cord.toml").write_text(
        PLAN.replace("[http]\n", f'[http]\nbind = "127.0.0.1:{port}"\n')
    )
    words = f"exec {sys.executable} -m cord serve <&- >&- 2>&-"
    process = subprocess.Popen(["sh", "-c", words], cwd=tmp_path)
    try:
        wait_for(lambda: _listens(port) or process.poll() is not None)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/wait?path=go")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.terminate()
        assert process.wait(60) == 0


def serve_in(folder: Path, plan: str, *words: str) -> str:
    """What a server says that cannot begin; it ends with 2."""
    (folder / "cord.toml").write_text(plan)
    anywhere = () if "bind" in plan else ("--set", "http.bind=127.0.0.1:0")
    done = subprocess.run(
        [sys.executable, "-m", "cord", "serve", *anywhere, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    return done.stderr


WRONG = {
    "nothing of HTTP": ("[remote.work]", "[http] has no routes", "[http.routes]"),
    "no routes": ("[remote.work]\n[http]", "[http] has no routes", "GET /hello"),
    "no method": ('"/a" = "work.f"', "does not begin with a method", "GET /hello"),
    "small method": ('"get /a" = "work.f"', "does not begin with a method", 'write "GET /a"'),
    "no slash": ('"GET a" = "work.f"', "has no path after its method", 'write "GET /a"'),
    "not remote": ('"GET /a" = "other.f"', "other is no remote module", "[remote.other]"),
    "private": ('"GET /a" = "work._f"', "_f is not remote", "private"),
    "missing": ('"GET /a" = "work.g"', "work has no function g", "it has: b, f, gen, h, k, p"),
    "no hint": ('"GET /a" = "work.h"', "the parameter x of work.h() has no type hint", "x: str"),
    "not in the function": ('"GET /{y}" = "work.f"', "work.f() has no parameter y", "are: x"),
    "async": ('"GET /a" = "work.k"', "work.k() is async", "write def"),
    "twice": ('"GET /{x}" = "work.f"\n"GET /{y}" = "work.f"', "matches the same requests", "leave"),
    "rest": (
        '"GET /a/{x}" = "work.f"\n"GET /a/{*x}" = "work.f"',
        "takes all that is below",
        "/a/all",
    ),
    "main": ('"GET /a" = "__main__.f"', "cord serve runs no main script", "into a module"),
    "foreign": (
        '"GET /a" = "work.p"',
        "nothing that JSON has is a Path",
        "use types that JSON has",
    ),
    "place": (
        '"GET /a" = "work.h"',
        'cord.toml:3:1: http.routes."GET /a": the parameter',
        "x: str",
    ),
    "cert": ("[http]\ncert = 'a'\nkey = 'b'", "http.cert is", "relative to the plan"),
    "log format": ("[http]\nlog_format = 'x'", "http.log_format is", '"common" or "json"'),
    "admin": ("[http]\nadmin = 9090", "http.admin is 9090", 'write "127.0.0.1:9090"'),
    "log": ("[http]\nlog = '/nowhere/to/be'", "cord.toml:4:7: http.log is", "relative to the plan"),
    "log to a folder": ("[http]\nlog = '/tmp'", "a folder", "name a file in it"),
    "origin": ("[http]\norigins = ['a.org']", "item 1 of http.origins is", 'write "https://a.org"'),
    "half an address": ("[http]\nbind = 80", "http.bind is 80", 'write "127.0.0.1:80"'),
    "not ASCII": ('"GET /stra\u00dfe/{x}" = "work.f"', "no path of HTTP has", "/stra%C3%9Fe/{x}"),
    "own": ('"GET /metrics" = "work.f"', "Cord answers by itself", ""),
    "key": ('"GET /a" = { function = "work.f", dedline = "1s" }', "is not a key", "deadline"),
    "time": ('"GET /a" = { function = "work.f", deadline = 3 }', "allowed: a time", '"3s"'),
    "body": ('"GET /a" = "work.b"', "takes a body, as data, but GET has none", "POST /a"),
}


@pytest.mark.parametrize(("text", "message", "hint"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_with_what_to_do(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    (tmp_path / "work.py").write_text(
        "def f(x: str) -> str: return x\n"
        "def h(x): return x\n"
        "async def k(x: str) -> str: return x\n"
        "def b(data: bytes) -> str: return ''\n"
        "from pathlib import Path\n"
        "def p(x: list[Path]) -> str: return ''\n"
        "def gen(): yield 1\n"
    )
    if text.startswith("[http]\n"):
        text = f'[remote.work]\n\n{text}\n[http.routes]\n"GET /" = "work.f"'
    plan = text if text.startswith("[") else f"[remote.work]\n[http.routes]\n{text}"
    told = serve_in(tmp_path, plan, *(["--set", "http.queue=1"] if "[http]" in plan else []))
    assert message in told
    assert hint in told
    assert "Traceback" not in told


def test_a_module_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text("import nowhere_to_be_found")
    told = serve_in(tmp_path, '[remote.work]\n[http.routes]\n"GET /a" = "work.f"')
    assert "the remote module work cannot be imported" in told
    assert "ModuleNotFoundError" in told


def test_a_port_that_is_taken_is_told(serve: Serve, tmp_path: Path) -> None:
    server = serve(WORK, PLAN)
    bind = f"http.bind=127.0.0.1:{server.port}"
    told = serve_in(tmp_path, PLAN, "--set", bind)
    assert "something listens there already" in told


def test_a_server_may_tell_of_itself_elsewhere(serve: Serve, tmp_path: Path) -> None:
    server = serve(WORK, PLAN, "--set", "http.admin=127.0.0.1:0")
    server.await_line("metrics on http://127.0.0.1:")
    line = next(one for one in server.lines if "metrics on" in one)
    admin = Server(server.process, server.folder, int(line.rpartition(":")[2].split("/")[0]))
    assert admin.ask("/metrics", host="any.example").status == 200
    assert admin.ask("/metrics", origin="https://evil.example").status == 403
    assert admin.ask("/version").status == 404
    for path, status in (("/metrics", 404), ("/docs", 404), ("/readyz", 200), ("/version", 200)):
        assert server.ask(path).status == status, path
    taken = serve_in(tmp_path, PLAN, "--set", f"http.admin=127.0.0.1:{server.port}")
    assert "http.admin is" in taken and "something listens there already" in taken


def test_a_server_may_tell_nothing_of_itself(serve: Serve) -> None:
    server = serve(WORK, PLAN, "--set", "http.admin=off", "--set", "http.log_format=json")
    assert server.ask("/openapi.json").status == 404
    assert server.ask("/healthz").status == 200


def test_there_is_no_plan(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cord", "serve"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "there is no cord.toml here" in done.stderr
