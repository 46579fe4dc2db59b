"""Replicas that are renewed between calls, after so many or at so much memory: nobody notices."""

from __future__ import annotations

from collections import Counter

import pytest

PLAN = """\
[remote.work]
replicas = {replicas}
repeatable = true
inline = false
recycle = {recycle}
"""
WORK = """
import ctypes, os, sys, time

with open("loads", "ab") as file:
    file.write(b"x")

C = ctypes.CDLL(None)
C.malloc.restype = ctypes.c_void_p
C.malloc.argtypes = [ctypes.c_size_t]
C.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]

def process(n):
    time.sleep(0.001)
    return os.getpid()

def say(n):
    print("said", n, flush=True)
    print("warned", n, file=sys.stderr)
    return n

def leak(n):
    size = 16 << 20
    C.memset(C.malloc(size), 1, size)
    return os.getpid()
"""


def calls_of_processes(stdout: str) -> list[int]:
    return list(Counter(stdout.split()).values())


@pytest.mark.parametrize("replicas", [1, 3])
def test_no_replica_serves_more_calls_and_none_loads_the_module_again(
    project, replicas: int
) -> None:
    main = "import work\nprint(*[work.process(n) for n in range(40)])\n"
    plan = PLAN.format(replicas=replicas, recycle=4)
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": main})
    result = one.run("main.py")
    assert result.stderr == ""
    assert max(calls_of_processes(result.stdout)) == 4
    assert (one.folder / "loads").read_text() == "xx", "the program's, and the template's"
    assert one.left_behind() == []


def test_one_with_too_much_memory_is_renewed(project) -> None:
    main = "import work\nprint(*[work.leak(n) for n in range(24)])\n"
    plan = PLAN.format(replicas=1, recycle='"128MiB"')
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": main})
    result = one.run("main.py")
    assert result.stderr == ""
    counts = calls_of_processes(result.stdout)
    assert len(counts) >= 3 and max(counts) <= 9


def test_what_calls_write_and_raise_is_as_ever(project) -> None:
    main = "import work\nprint([work.say(n) for n in range(12)])\nwork.say()\n"
    plan = PLAN.format(replicas=2, recycle=1)
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": main})
    plain, ran = one.run("main.py", cord=False), one.run("main.py")
    assert (ran.stdout, ran.stderr, ran.returncode) == (
        plain.stdout,
        plain.stderr,
        plain.returncode,
    )


def test_values_that_are_passed_on_are_there(project) -> None:
    work = """
import os
def make(n):
    return bytes([n]) * 200_000
def count(block, n):
    return block.count(n)
"""
    main = "import work\nprint([work.count(work.make(n), n) for n in range(20)])\n"
    plan = PLAN.format(replicas=3, recycle=2)
    result = project({"cord.toml": plan, "work.py": work, "main.py": main}).run("main.py")
    assert (result.stdout, result.stderr) == (f"{[200_000] * 20}\n", "")


def test_calls_that_lead_to_calls(project) -> None:
    texts = {
        "cord.toml": "".join(
            f"[remote.{name}]\nreplicas = 1\nrepeatable = true\ninline = false\nrecycle = 1\n"
            for name in ("one", "other")
        ),
        "one.py": "import other\ndef down(n):\n    return n if n == 0 else other.down(n - 1) + 1\n",
        "other.py": "import one\ndef down(n):\n    return n if n == 0 else one.down(n - 1) + 1\n",
        "main.py": "import one\nprint([one.down(n) for n in range(7)])\n",
    }
    result = project(texts).run("main.py")
    assert (result.stdout, result.stderr) == ("[0, 1, 2, 3, 4, 5, 6]\n", "")


def test_one_that_may_have_effects_comes_to_the_end_of_a_python_process(project) -> None:
    """Its exit functions are called."""
    work = """
import atexit, os
def note(n):
    with open("log", "a") as log:
        log.write(f"{n}\\n")
atexit.register(lambda: os.write(os.open("ends", os.O_CREAT | os.O_APPEND | os.O_WRONLY), b"x"))
"""
    main = "import work\nfor n in range(9):\n    work.note(n)\n"
    plan = "[remote.work]\nreplicas = 2\nindependent = true\nrecycle = 2\n"
    one = project({"cord.toml": plan, "work.py": work, "main.py": main})
    result = one.run("main.py")
    assert (result.stderr, result.returncode) == ("", 0)
    assert sorted((one.folder / "log").read_text().split()) == [str(n) for n in range(9)]
    assert len((one.folder / "ends").read_text()) >= 5


def test_the_main_script(project) -> None:
    main = """
import os, time
def process(n):
    time.sleep(0.001)
    return os.getpid()
if __name__ == "__main__":
    print(*[process(n) for n in range(20)])
"""
    plan = PLAN.format(replicas=2, recycle=3).replace("remote.work", "remote.main")
    result = project({"cord.toml": plan + 'only = ["process"]\n', "main.py": main}).run("main.py")
    assert result.stderr == ""
    assert max(calls_of_processes(result.stdout)) == 3


def test_one_that_has_crashed_is_loaded_anew(project) -> None:
    """What it has died of may be in its template, too."""
    work = WORK + "\ndef crash(n):\n    os.abort()\n"
    main = """
import work
print(len({work.process(n) for n in range(8)}) >= 2)
try:
    work.crash(1)
except Exception as error:
    print("crashed")
print(len({work.process(n) for n in range(8)}) >= 2)
"""
    plan = PLAN.format(replicas=1, recycle=4)
    one = project({"cord.toml": plan, "work.py": work, "main.py": main})
    assert one.run("main.py").stdout == "True\ncrashed\nTrue\n"
    assert (one.folder / "loads").read_text() == "xx" + "xxx"
