"""Pure calls that are made again while replicas are idle: what is said where replies differ."""

from __future__ import annotations

import pickle
import subprocess
import sys
from array import array
from pathlib import Path
from textwrap import dedent

import pytest

from cord._core import PICKLE
from cord.runtime.client.audited import are_the_same, difference, short
from cord.runtime.travel import loaded

PLAN = """
[run]
copies = false
audit = 100
[remote.work]
replicas = 2
pure = true
callstyle = "async"
inline = false
"""
# each call tells the program that it is made
WORK = """
import contextlib
import os
import socket

class Thing:
    def __init__(self, x):
        self.x = x

def tell():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            told.sendto(b"x", "\\0" + os.environ["TOLD"])

def chance(x, *, how=None):
    tell()
    return x, os.urandom(8), os.getpid()

def same(x):
    tell()
    return {x, (x, 1.5), "a"}, float("nan"), Thing(x)

def waits(name):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect("\\0" + name)
        return link.recv(1)

def reads(path):
    tell()
    with open(path) as file:
        return file.read()
"""
MAIN = """
import os
import socket
import work

told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind("")
os.environ["TOLD"] = told.getsockname()[1:].decode()
"""


def run(
    folder: Path, main: str, plan: str = PLAN, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run a program under Cord."""
    (folder / "cord.toml").write_text(plan)
    (folder / "work.py").write_text(WORK)
    (folder / "main.py").write_text(MAIN + dedent(main))
    return subprocess.run(
        [sys.executable, "-m", "cord", "run", *options, "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_difference_is_told_and_later_calls_are_the_programs(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        while work.chance(7, how="so")[2] != os.getpid():
            pass
        print({work.chance(x)[2] == os.getpid() for x in range(50)})
        raise SystemExit(3)
        """,
        PLAN,
        "--stats",
    )
    assert (ran.stdout, ran.returncode) == ("{True}\n", 3)
    line, *table = ran.stderr.splitlines()
    assert line.startswith("cord: work.chance gives different results for the same arguments: ")
    assert "chance(7, how='so') gave (7, b" in line  # the quotes are those that its bytes have not
    assert "(work.py:" in line
    assert "hint: " in line
    assert any("made again while replicas were idle" in line for line in table)


def test_all_calls_can_be_made_again_before_a_run_ends(tmp_path: Path):
    ran = run(
        tmp_path,
        "print([work.same(x)[2].x for x in range(9)])\n",
        PLAN.replace("audit = 100", 'audit = "all"'),
        "--stats",
    )
    assert ran.stdout == f"{list(range(9))}\n"
    assert "9 calls made again while replicas were idle, and compared" in ran.stderr


def test_what_is_the_same_for_the_program_is_not_told(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        work.same(7)
        for _ in range(2):
            told.recv(1)
        """,
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 0)


def test_what_reads_a_file_that_has_changed_is_not_told(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        with open("data", "w") as file:
            file.write("one")
        print(work.reads("data"))
        with open("data", "w") as file:
            file.write("another one")
        for _ in range(2):
            told.recv(1)
        """,
    )
    assert (ran.stdout, ran.stderr) == ("one\n", "")


def test_of_a_program_that_has_executed_a_module_again_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loaded, "_kept", [])
    loaded.begin()
    call, *results = (
        (PICKLE, pickle.dumps(one, 5), []) for one in (("f", (1,), {}), "the old one", "a new one")
    )
    (tmp_path / "helper.py").write_text("K = 1\n")
    loaded.add("helper", str(tmp_path / "helper.py"))
    assert "f(1) gave 'the old one', and 'a new one'" in (difference(call, *results) or "")
    loaded.add("helper", str(tmp_path / "helper.py"))
    assert difference(call, *results) is None


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("audit = 100", "audit = 0"),
        ("audit = 100", "audit = false"),
        ("audit = 100", 'speculate = "exact"'),
        ("pure = true", "repeatable = true"),
        ("pure = true", 'pure = true\nrate = "1000/s"'),
        ("pure = true", "pure = true\nthreads = 2"),
        ('"async"', '"sync"'),
    ],
)
def test_where_no_call_is_made_again(tmp_path: Path, said: str, instead: str):
    ran = run(
        tmp_path,
        """
        import time
        print([work.chance(7)[0] for _ in range(4)])
        for _ in range(4):
            told.recv(1)
        told.setblocking(False)
        time.sleep(0.5)
        try:
            told.recv(1)
        except BlockingIOError:
            print("no more")
        """,
        PLAN.replace(said, instead),
    )
    assert (ran.stdout, ran.stderr) == ("[7, 7, 7, 7]\nno more\n", "")


def test_the_program_does_not_wait_for_a_call_that_is_made_again(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from threading import Thread

        server = socket.socket(socket.AF_UNIX)
        server.bind("")
        server.listen()
        links = []

        def answer():
            links.append(server.accept()[0])
            links[0].send(b"x")

        Thread(target=answer).start()
        print(work.waits(server.getsockname()[1:].decode()))
        links.append(server.accept()[0])  # nobody answers this one
        """,
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("b'x'\n", "", 0)


class _Plain:
    def __init__(self, x: object) -> None:
        self.x = x


NAN = float("nan")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({1, "a", (2, 3)}, {(2, 3), "a", 1}, True),
        ([NAN, complex(NAN, 1)], [NAN, complex(NAN, 1)], True),
        (0.1 + 0.2, 0.3, True),
        (0.0, -0.0, True),
        (1.0, 1.0001, False),
        (1, True, False),
        (_Plain([1]), _Plain([1]), True),
        (_Plain(1), _Plain(2), False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        (array("d", [1.0]), array("d", [1.0]), True),
        (array("d", [1.0]), array("d", [2.0]), False),
        ("a", "b", False),
    ],
)
def test_which_results_are_the_same(one: object, other: object, same: bool):
    assert are_the_same(one, other) is same


def test_arrays_of_floats_may_differ_in_their_last_digits():
    numpy = pytest.importorskip("numpy")
    one = numpy.array([1.0, NAN, 3.0])
    assert are_the_same(one, one * (1 + 1e-12))
    assert are_the_same(numpy.float64(0.1) * 3, numpy.float64(0.3))
    assert not are_the_same(one, one + 1)
    assert not are_the_same(numpy.int64(5), numpy.int64(7))


def test_values_are_short_and_run_no_code():
    class Loud:
        def __repr__(self) -> str:
            raise AssertionError

    assert short([1, "a" * 100, Loud()])[:20] == "[1, 'aaaaaaaaaaaaaaa"
    assert "Loud" in short(Loud())
    assert len(short(list(range(1000)))) < 40
