"""Calls with effects that were made ahead: each is made once, whatever becomes of the program."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

PLAN = '[remote.work]\nreplicas = 3\ncallstyle = "async"\nindependent = true\n'
WORK = """
import os
import signal
import time

def send(what, nap=0.02):
    time.sleep(nap)
    with open("sent", "a") as log:
        log.write(f"{what}\\n")
    print("sending", what)
    if what == "bad":
        raise ValueError(what)
    if what == "death":
        os.kill(os.getpid(), signal.SIGKILL)
    return what
"""


class Ran(NamedTuple):
    """What a run showed, and how often each call was made."""

    out: list[str]
    err: list[str]
    code: int
    sent: Counter[str]


def run(folder: Path, main: str, plan: str = PLAN) -> Ran:
    """Run ``main`` under Cord."""
    (folder / "cord.toml").write_text(plan)
    (folder / "work.py").write_text(WORK)
    (folder / "main.py").write_text(textwrap.dedent(main))
    (folder / "sent").touch()
    done = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    sent = Counter((folder / "sent").read_text().split())
    return Ran(done.stdout.splitlines(), done.stderr.splitlines(), done.returncode, sent)


def test_calls_behind_an_exception_have_been_made_and_are_not_made_again(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from work import send
        def main():
            names = ["a", "bad", "c", "d"]
            for name in names:
                try:
                    send(name)
                except ValueError:
                    print("not", name)
        main()
        """,
    )
    assert ran.out == ["sending a", "sending bad", "not bad", "sending c", "sending d"]
    assert ran.sent == {"a": 1, "bad": 1, "c": 1, "d": 1}


def test_a_frame_that_goes_on_after_an_exception_takes_what_was_made(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from work import send
        def main():
            at, names = 0, ["a", "bad", "c", "d", "e"]
            while at < 5:
                try:
                    while at < 5:
                        name = names[at]
                        at = at + 1
                        send(name)
                except ValueError:
                    print("not", name)
        main()
        """,
    )
    assert ran.out[-3:] == ["sending c", "sending d", "sending e"]
    assert ran.sent == dict.fromkeys(["a", "bad", "c", "d", "e"], 1)


def test_the_program_waits_at_its_end_for_what_it_has_not_taken(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from work import send
        for name in ["a", "bad", "slow", "slower"]:
            send(name, {"a": 0.02, "bad": 0.7}.get(name, 1.5))
        """,
    )
    assert ran.code == 1
    assert ran.err[-1] == "ValueError: bad"
    assert ran.out == ["sending a", "sending bad"]  # what nobody takes is not shown
    assert ran.sent["slow"] == ran.sent["slower"] == 1


def test_a_call_that_failed_and_was_not_taken_is_told_of(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from work import send
        def main():
            for what in ["a", "bad", "bad"]:
                send(what)
        try:
            main()
        except ValueError:
            print("left")
        """,
    )
    assert ran.out == ["sending a", "sending bad", "left"]
    assert ran.sent == {"a": 1, "bad": 2}
    assert ran.err == [
        "cord: work.send() failed: ValueError: bad; it was made ahead of the program, which did "
        "not come so far (independent = true)"
    ]


def test_a_call_whose_replica_died_is_not_made_again(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        from work import send
        for what in ["a", "death", "c", "d", "e", "f"]:
            try:
                send(what)
            except Exception as error:
                print(type(error).__name__, what)
        """,
        PLAN.replace("async", "async-demand(1)"),
    )
    assert [line for line in ran.out if "CallMayHaveRun" in line] == ["CallMayHaveRun death"]
    assert ran.sent == dict.fromkeys(["a", "death", "c", "d", "e", "f"], 1)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"to": name, "text": TEXT, "again": "hello there"}',
        '[name, TEXT, "hello " + "there", b"x y", b"x y"]',
        '(name, [TEXT, "hello there"])',
    ],
)
def test_how_constants_are_kept_makes_no_difference(tmp_path: Path, arguments: str):
    ran = run(
        tmp_path,
        f"""
        from work import send
        TEXT = "hello there"
        for name in "abcdef":
            send({arguments})
        """,
    )
    assert len((tmp_path / "sent").read_text().splitlines()) == len(ran.out) == 6


def test_what_mentions_the_main_script_is_called_in_place(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        import dataclasses
        from work import send
        @dataclasses.dataclass(frozen=True)
        class Mail:
            to: str
        Mail.__str__ = lambda self: self.to
        for to in ["a", "bad", "c"]:
            send(Mail(to))
        """,
    )
    assert ran.sent == {"a": 1, "bad": 1, "c": 1}


def test_where_other_threads_run_nothing_is_certain(tmp_path: Path):
    ran = run(
        tmp_path,
        """
        import threading
        from work import send
        wait = threading.Event()
        thread = threading.Thread(target=wait.wait)
        thread.start()
        try:
            for what in ["a", "bad", "c", "d"]:
                send(what)
        finally:
            wait.set()
        """,
    )
    assert ran.sent == {"a": 1, "bad": 1}
