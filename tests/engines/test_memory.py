"""Replicas that have more memory than the plan allows, and calls that end their replicas."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from cord.engines.local import memory

PLAN = """\
[remote.work]
replicas = 2
inline = false
memory = "128MiB"
"""
PURE = PLAN + "repeatable = true\n"
WORK = """
import os, signal, time

def note():
    with open("tries", "ab") as file:
        file.write(b"x")

def hold(size, name="", seconds=60):
    note()
    held = b"x" * (size << 20)
    time.sleep(seconds)

def fork(size):
    note()
    if os.fork() == 0:
        held = b"x" * (size << 20)
        time.sleep(60)
    os.wait()

def share(size, n):
    held = b"x" * (size << 20)
    for _ in range(n):
        if os.fork() == 0:
            time.sleep(0.5)
            os._exit(0)
    for _ in range(n):
        os.wait()
    return n

def end(how):
    note()
    n = os.path.getsize("tries")
    os.kill(os.getpid(), how[n - 1]) if how[n - 1] > 0 else os._exit(-how[n - 1])

def double(n):
    return 2 * n
"""
MAIN = """
import work
try:
    print({call})
except Exception as error:
    print(type(error).__name__, error)
print(work.double(4))
"""


@pytest.fixture
def ran(project) -> Callable[..., tuple[list[str], int]]:
    """What a call comes to, and how often it was tried."""

    def ran(call: str, plan: str) -> tuple[list[str], int]:
        one = project({"cord.toml": plan, "work.py": WORK, "main.py": MAIN.format(call=call)})
        result = one.run("main.py")
        assert one.left_behind() == []
        tries = one.folder / "tries"
        return result.stdout.splitlines(), tries.stat().st_size if tries.exists() else 0

    return ran


def test_the_error_of_a_pure_call_names_it_and_how_much_it_was(ran) -> None:
    lines, tries = ran("work.hold(300, name='much')", PURE)
    first = lines[0]
    assert first.startswith("PoisonCall main.py:4: work.hold(300, name='much') was given up: ")
    assert "3 replicas ended while they ran it: " in first
    assert first.count(" MiB of memory, more than 128 MiB") in (1, 3)
    assert (lines[-1], tries) == ("8", 3)


def test_a_call_with_effects_is_made_once(ran) -> None:
    lines, tries = ran("work.hold(300)", f"{PLAN}independent = true\n")
    assert lines[0].startswith("CallMayHaveRun main.py:4: the replica that ran work.hold(300) (")
    assert "more than 128 MiB; the call may have run in part" in lines[0]
    assert lines[2].startswith("hint: let the function hold less at a time")
    assert (lines[-1], tries) == ("8", 1)


def test_state_that_is_lost_for_memory_says_so(ran) -> None:
    plan = '[remote.work]\nmemory = "128MiB"\nrestart = "fresh"\n'
    lines, tries = ran("work.hold(300)", plan)
    assert lines[0].startswith("CallMayHaveRun main.py:4: ") and "128 MiB" in lines[0]
    assert (lines[-1], tries) == ("8", 1)


def test_what_it_forks_counts_and_is_ended_too(ran) -> None:
    lines, tries = ran("work.fork(300)", f"{PURE}retries = 0\n")
    assert lines[0].startswith("PoisonCall main.py:4: work.fork(300) was given up: the replica ")
    assert (lines[-1], tries) == ("8", 1)


def test_what_is_shared_counts_once(ran) -> None:
    lines, _ = ran("work.share(60, 4)", PURE)
    assert lines == ["4", "8"]


def test_threads_of_a_process_have_its_memory_together(ran) -> None:
    plan = PURE.replace("replicas = 2", "replicas = 1\nthreads = 2")
    lines, tries = ran("work.hold(300)", plan)
    assert lines[0].startswith("PoisonCall main.py:4: work.hold(300) was given up: 3 replicas")
    assert "128 MiB" in lines[0] and (lines[-1], tries) == ("8", 3)


def test_how_each_has_ended_is_told(ran) -> None:
    kill, term = int(signal.SIGKILL), int(signal.SIGTERM)
    lines, tries = ran(f"work.end(({kill}, {term}, -3))", PURE)
    told = "one was killed by SIGKILL, one was killed by SIGTERM, one exited with status 3"
    name = f"work.end(({kill}, {term}, -3))"
    assert lines[0] == (
        f"PoisonCall main.py:4: {name} was given up: 3 replicas ended while they ran it: {told}"
    )
    assert (lines[-1], tries) == ("8", 3)


def test_arguments_are_told_in_short_and_no_code_of_the_program_runs_for_that(project) -> None:
    loud = "class Loud:\n    def __repr__(self):\n        print('loud')\n        return 'Loud()'\n"
    main = """
import work
from loud import Loud
try:
    work.end(Loud(), list(range(1000)), "x" * 1000)
except Exception as error:
    print(type(error).__name__, str(error).partition(" was given up")[0])
"""
    work = "import os\ndef end(*args):\n    os._exit(1)\n"
    texts = {"cord.toml": PURE, "work.py": work, "main.py": main, "loud.py": loud}
    said = "PoisonCall main.py:5: work.end(<Loud>, [0, 1, 2, 3, ...], 'xxxx"
    printed = project(texts).run("main.py").stdout
    assert printed.startswith(said) and printed.count("\n") == 1 and len(printed) < 150


def test_it_is_an_error_where_a_remote_function_made_the_call(project) -> None:
    texts = {
        "cord.toml": PURE + "\n[remote.outer]\nrepeatable = true\ninline = false\n",
        "work.py": WORK,
        "outer.py": """
import work
def ask():
    try:
        work.hold(300)
    except Exception as error:
        return type(error).__name__, "more than 128 MiB" in str(error)
""",
        "main.py": "import outer, work\nprint(outer.ask(), work.double(2))\n",
    }
    result = project(texts).run("main.py")
    assert result.stdout == "('PoisonCall', True) 4\n", result.stderr


class TestLooks:
    """How much there is."""

    @pytest.fixture
    def family(self):
        text = "import os\nheld = b'x' * (64 << 20)\nos.fork()\nos.write(1, b'1\\n')\ninput()\n"
        command = [sys.executable, "-c", text]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
            assert process.stdout is not None
            assert process.stdout.read(4) == b"1\n1\n"
            yield process.pid
            for pid in (process.pid, *memory.descendants_of(process.pid)):
                os.kill(pid, signal.SIGKILL)

    def test_shared_pages_count_once(self, family: int) -> None:
        [found] = memory.Memory().look([(family, 32 << 20)])
        assert found.pid == family and len(found.family) == 1
        assert 64 << 20 < found.peak < 110 << 20
        assert memory.Memory().look([(family, 120 << 20)]) == []

    def test_it_is_looked_at_from_time_to_time(self, family: int, monkeypatch) -> None:
        now = [100.0]
        monkeypatch.setattr(memory.time, "monotonic", lambda: now[0])
        one = memory.Memory()
        assert len(one.look([(family, 1)])) == 1
        assert one.look([(family, 1)]) == []
        now[0] += 2 * memory.EVERY
        assert len(one.look([(family, 1)])) == 1

    def test_nothing_is_told_of_one_that_has_ended(self) -> None:
        assert memory.Memory().look([(2**22 + 1, 1)]) == []
