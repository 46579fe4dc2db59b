"""What the tests of agents that Ray and Dask place share: a program that looks where it runs."""

from __future__ import annotations

import time
from pathlib import Path

from on_nodes import OWN_AGENT

PATIENCE = 30.0  # seconds in which anything that is to be has long been

PROGRAM = """\
import os, work
print([work.square(number) for number in range(9)])
print(work.order() == list({f"a{number}" for number in range(50)}))
first, second = [work.agent(number) for number in range(2)]
print(first != second)
print([name for name in work.variables() if name not in os.environ and "THREADS" not in name])
"""
# The third call kills its agent, where it is the first to be made.
LOSING = """\
import work
print([work.lose(number) for number in range(6)])
"""
# The same, but it kills what has started its agent, too.
LOSING_PLACE = """\
import work
print([work.lose(number, above=True) for number in range(6)])
"""
LASTING = "import work\nwork.last()\n"
WORK = (
    OWN_AGENT
    + """
import ctypes, os, subprocess, time

def square(number):
    return number * number

def order():
    return list({f"a{number}" for number in range(50)})

def agent(number):
    time.sleep(0.5)
    return _agent()

def variables():
    return sorted(os.environ)

def devices(number):
    time.sleep(0.1)
    in_c = ctypes.CDLL(None).getenv
    in_c.restype = ctypes.c_char_p
    names = "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"
    return [(os.environ.get(name), in_c(name.encode())) for name in names]

def lose(number, above=False):
    time.sleep(0.1)
    try:
        os.close(os.open("lost", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return number
    agent = _agent()
    kills = f"kill -KILL {agent}"
    if above:  # neither can say that the other has ended, nor this process do all of it
        status = open(f"/proc/{agent}/status").read()
        parent = status.split("PPid:")[1].split()[0]
        kills = f"kill -STOP {parent}; {kills}; kill -KILL {parent}"
    subprocess.Popen(["sh", "-c", kills], start_new_session=True)
    time.sleep(60)

def last():
    open("begun", "w").close()
    time.sleep(60)
"""
)
SHOWN = f"{[number * number for number in range(9)]}\nTrue\nTrue\n[]\n"
REMOTE = """
[remote.work]
replicas = 2
repeatable = true
callstyle = "async"
inline = false
"""


def files(program: str, kind: str, *lines: str) -> dict[str, str]:
    """The files of a program with its plan."""
    plan = "\n".join(("[engine]", f'kind = "{kind}"', *lines, REMOTE))
    return {"main.py": program, "work.py": WORK, "cord.toml": plan}


def without_waiting(stderr: str) -> str:
    """What a run has written besides that it waits."""
    lines = stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("cord: waiting for "))


def agents() -> set[int]:
    """The agents on this machine that connect to programs."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"agent" in words and b"--connect" in words:
            found.add(int(entry.name))
    return found


def parent_of(pid: int) -> int:
    """A process's parent."""
    return int(Path(f"/proc/{pid}/status").read_text().split("PPid:")[1].split()[0])


def until(condition):
    """Try again and again until something is so; gives what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found
