"""Replicas run calls in the world that the client has made by the time of the call."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pickle import dumps, loads

import pytest

from cord.engines.local.libraries import threads_of

LOOKING = """
import ctypes, os, sys

def here():
    return os.getcwd(), os.environ.get("WORLD_TEST"), sys.path[-1]

def for_c_code(name):
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    return getenv(name.encode())

def pid():
    return os.getpid()

def here_at_the_second_attempt(marker):
    if not os.path.exists(marker):
        open(marker, "w").close()
        os._exit(1)
    return here()
"""


def client_here():
    return os.getcwd(), os.environ.get("WORLD_TEST"), sys.path[-1]


def test_all_replicas_follow_the_client(remote, tmp_path, monkeypatch):
    module = remote(LOOKING, replicas=2)
    assert module.call("here") == client_here()
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("WORLD_TEST", name)
        monkeypatch.syspath_prepend(str(folder))
        for _ in range(8):
            assert module.call("here") == client_here()
    monkeypatch.undo()
    assert module.call("here") == client_here()


def test_a_call_keeps_the_world_in_which_it_was_made(remote, tmp_path, monkeypatch):
    module = remote(LOOKING)
    head = dumps(("here", (), {}), 5)
    tickets, expected = [], []
    for number in range(20):
        monkeypatch.setenv("WORLD_TEST", str(number))
        if number % 3 == 0:
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.chdir(folder)
        tickets.append(module.session.issue(0, True, head, []))
        expected.append(client_here())
    assert all(ticket.wait(30) for ticket in tickets)
    assert [loads(ticket.take()[2]) for ticket in tickets] == expected


def test_a_call_that_is_repeated_elsewhere_takes_its_world_along(remote, tmp_path, monkeypatch):
    module = remote(LOOKING)
    monkeypatch.setenv("WORLD_TEST", "changed")
    monkeypatch.chdir(tmp_path)
    here = client_here()
    marker = str(tmp_path / "tried")
    head = dumps(("here_at_the_second_attempt", (marker,), {}), 5)
    ticket = module.session.issue(0, True, head, [])
    monkeypatch.setenv("WORLD_TEST", "changed again")
    monkeypatch.chdir("/")
    assert ticket.wait(30)
    assert loads(ticket.take()[2]) == here
    assert module.call("here") == client_here()


def test_a_replica_that_replaces_another_loads_the_module_in_the_same_world(remote, monkeypatch):
    monkeypatch.setenv("WORLD_TEST", "at the import")
    module = remote(
        "import os\nMODE = os.environ['WORLD_TEST']\ndef mode(): return MODE, os.getpid()"
    )
    mode, pid = module.call("mode")
    assert mode == "at the import"
    monkeypatch.setenv("WORLD_TEST", "later")
    os.kill(pid, signal.SIGKILL)
    while (again := module.call("mode"))[1] == pid:
        pass
    assert again[0] == "at the import"


def test_a_change_that_another_thread_has_begun_is_not_missed(remote, monkeypatch):
    module = remote(LOOKING)
    monkeypatch.setenv("WORLD_TEST", "0")
    begun, go_on = threading.Event(), threading.Event()

    def change():  # as os.environ does it: the audit event comes before the change
        sys.audit("os.putenv", b"WORLD_TEST", b"1")
        begun.set()
        go_on.wait()
        os.environ._data[b"WORLD_TEST"] = b"1"

    thread = threading.Thread(target=change)
    thread.start()
    begun.wait()
    assert module.call("here")[1] == "0"
    go_on.set()
    thread.join()
    for _ in range(3):
        assert module.call("here")[1] == "1"


def test_a_variable_that_only_c_code_sees(remote):
    module = remote(LOOKING)
    try:
        os.putenv("WORLD_TEST_C", "for C")
        assert module.call("for_c_code", "WORLD_TEST_C") == b"for C"
        os.unsetenv("WORLD_TEST_C")
        assert module.call("for_c_code", "WORLD_TEST_C") is None
    finally:
        os.unsetenv("WORLD_TEST_C")


@pytest.mark.parametrize(
    ("setting", "replicas", "threads"),
    [("all", 4, None), ("auto", 1, None), ("auto", 10_000, 1), (3, 1, 3), (3, 4, 3)],
)
def test_how_many_threads_a_setting_means(setting, replicas, threads):
    assert threads_of(setting, replicas) == threads


PRINTS_THREADS = """
import ctypes, os

def f(name):
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    return getenv(name.encode()), os.environ.get(name)
"""


@pytest.mark.parametrize(
    ("plan", "before", "expected"),
    [
        ("blas_threads = 3", "", "(b'3', None)"),
        ("blas_threads = 'all'", "", "(None, None)"),
        ("", "", "(None, None)"),
        ("blas_threads = 3", "os.environ['OMP_NUM_THREADS'] = '9'", "(b'9', '9')"),
        ("blas_threads = 3", "os.environ['MKL_NUM_THREADS'] = '9'", "(None, None)"),
    ],
)
def test_numerical_libraries_are_told_their_number_of_threads(project, plan, before, expected):
    one = project(
        {
            "work.py": PRINTS_THREADS,
            "main.py": f"import os\n{before}\nimport work\nprint(work.f('OMP_NUM_THREADS'))\n",
            "cord.toml": f"[remote.work]\n{plan}\n",
        }
    )
    done = one.run("main.py")
    assert (done.stdout.strip(), done.stderr) == (expected, "")


def test_sets_come_in_one_order_without_a_given_hash_seed(tmp_path):
    (tmp_path / "work.py").write_text("def distinct(words):\n    return list(set(words))\n")
    (tmp_path / "main.py").write_text(
        "import work\n"
        "words = [f'word {n}' for n in range(99)]\n"
        "print(hash('a'), all(work.distinct(words) == list(set(words)) for _ in range(8)))\n"
    )
    (tmp_path / "cord.toml").write_text("[remote.work]\nreplicas = 2\nrepeatable = true\n")
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONHASHSEED"}
    seen = [
        subprocess.run(
            [sys.executable, "-m", "cord", "run", "main.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.split()
        for _ in range(2)
    ]
    assert [order for _, order in seen] == ["True", "True"]
    assert seen[0] != seen[1]  # the seed was indeed another one


def test_a_program_is_run_from_another_folder(project):
    one = project(
        {
            "below/work.py": "import os\ndef f(): return os.listdir()\n",
            "below/cord.toml": "[remote.work]\n",
            "below/main.py": "import sys, work\nprint(work.f(), sys.path[0])\n",
        }
    )
    plain = one.run("below/main.py", cord=False)
    assert "below" in plain.stdout
    assert one.run("below/main.py").stdout == plain.stdout
