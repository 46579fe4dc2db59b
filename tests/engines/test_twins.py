"""Replicas that are copies of one that has loaded their module, and when they are not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

REPLICAS = 4
# Each time that it is executed, a byte goes into the file beside it.
COUNTED = """
import os, sys, time
with open(__file__ + ".loads", "ab") as file:
    file.write(b"x")
{loading}
def who(seconds):
    time.sleep(seconds)
    return os.getpid()
def say(word):
    time.sleep(0.05)
    print(word, flush=True)
    os.write(1, word.encode() + b"!\\n")
    print(word, file=sys.stderr)
def note():
    with open(__file__ + ".notes", "ab") as file:
        file.write(b"x")
def fail(word):
    raise KeyError(word)
"""


def loads(folder: Path) -> int:
    return sum(len(path.read_bytes()) for path in folder.glob("*.loads"))


def busy(remote):
    """The processes that answer when all are asked at once."""
    from _pickle import dumps
    from _pickle import loads as load

    tickets = [
        remote.session.issue(0, True, dumps(("who", (0.3,), {}), 5), []) for _ in range(REPLICAS)
    ]
    found = set()
    for ticket in tickets:
        ticket.demand()
        assert ticket.wait(30)
        found.add(load(ticket.take()[2]))
    return found


def all_of(remote, but=frozenset()):
    """The processes of all replicas, others than these, once all have started."""
    end = time.monotonic() + 60
    while len(found := busy(remote)) < REPLICAS or found == but:
        assert time.monotonic() < end, f"only {len(found)} serve"
    return found


def start(remote, loading=""):
    return remote(COUNTED.format(loading=loading), REPLICAS, pure=True, repeatable=True)


def test_the_module_is_loaded_once(remote, tmp_path):
    all_of(start(remote))
    assert loads(tmp_path) == 1


@pytest.mark.parametrize("_time", range(8))
def test_the_template_makes_no_calls(remote, tmp_path, _time):
    """The first replica has read some already when the template is forked."""
    one = start(remote)
    for _ in range(20):
        one.call("note")
    one.close()
    [notes] = tmp_path.glob("*.notes")
    assert len(notes.read_bytes()) == 20


@pytest.mark.parametrize(
    "loading",
    [
        "import threading; threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        "log = open(__file__)",
        "pipe = os.pipe()",
        "import mmap; shared = mmap.mmap(-1, 4096)",
        "child = os.fork() or (time.sleep(99), os._exit(0))",
    ],
    ids=["thread", "file", "pipe", "shared memory", "process"],
)
def test_what_cannot_be_copied_is_loaded_by_each(remote, tmp_path, loading):
    all_of(start(remote, loading))
    assert loads(tmp_path) == REPLICAS


def test_a_module_that_cannot_be_loaded(remote):
    one = start(remote, "raise ValueError('not today')")
    assert one.outcome("who", 0)[0] != "reply"


def test_each_has_its_own_output(remote, capfd):
    one = start(remote)
    busy(one)
    for word in ("one", "two", "three", "four", "five", "six"):
        one.call("say", word)
        out, err = capfd.readouterr()
        assert (out, err) == (f"{word}\n{word}!\n", f"{word}\n")
    with pytest.raises(KeyError, match="seven"):
        one.call("fail", "seven")


def test_one_that_dies_is_replaced(remote, tmp_path):
    one = start(remote)
    first = all_of(one)
    os.kill(min(first), signal.SIGKILL)
    os.kill(max(first), signal.SIGKILL)
    assert len(all_of(one, but=first) & first) == REPLICAS - 2


def test_the_template_dies(remote):
    one = start(remote)
    first = all_of(one)
    [template] = {_parent(pid) for pid in first} - {one.zygote.pid}
    os.kill(template, signal.SIGKILL)
    all_of(one)


def test_a_module_that_is_loaded_anew(remote, tmp_path):
    one = start(remote)
    all_of(one)
    one.session.load(0, one.session.world(), False)
    all_of(one)
    assert loads(tmp_path) == 1 + REPLICAS


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


PROGRAM = """
import os, time
import heavy
def work(x):
    time.sleep(0.2)
    return heavy.double(x), os.getpid()
def main():
    found = [work(x) for x in range(12)]
    print([value for value, _ in found], len({pid for _, pid in found}))
main()
"""
HEAVY = """
import os
with open(__file__ + ".loads", "ab") as file:
    file.write(b"x")
{loading}
def double(x):
    return 2 * x
"""
SCRIPTS_PLAN = """
[remote.main]
replicas = 4
callstyle = "async"
repeatable = true
only = ["work"]
"""


@pytest.mark.parametrize(
    ("loading", "most_loads"), [("", 3), ("pipe = os.pipe()", 6)], ids=["copies", "one by one"]
)
def test_what_the_script_imports(tmp_path, loading, most_loads):
    """The program imports it, the first replica, and the template; or else each replica."""
    texts = {"main.py": PROGRAM, "heavy.py": HEAVY.format(loading=loading)}
    for name, text in {**texts, "cord.toml": SCRIPTS_PLAN}.items():
        (tmp_path / name).write_text(text)
    ran = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    values, processes = ran.stdout.rsplit(maxsplit=1)
    assert values == str([2 * x for x in range(12)])
    assert int(processes) > 1
    assert loads(tmp_path) <= most_loads
