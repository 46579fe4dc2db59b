"""What a copy would wait for in vain ends it at once, and it says so.

Where it may guess, it has the program's threads; if not, it has one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from program_case import Case, run_plain, run_script
from spans import lay_out, most_at_once, read_spans

TOLD_RUN = str(Path(__file__).parent / "told_run.py")
PLAN = """\
[remote.work]
replicas = 4
callstyle = "async"
repeatable = true

[run]
copies = true
speculate = "{}"
"""
SERVED = """\
todo, done = queue.Queue(), queue.Queue()
threading.Thread(target=serve, daemon=True).start()
"""
# What is done before the calls, and between them.
WAITS = {
    "a lock that a thread holds": (
        "todo, lock = queue.Queue(), threading.Lock()\n"
        "threading.Thread(target=release, daemon=True).start()",
        "lock.acquire(); todo.put(lock.release); lock.acquire(); lock.release()",
    ),
    "a queue that a thread fills": (
        SERVED,
        "todo.put(x); done.get()",
    ),
    "an event, for some time": (
        SERVED,
        "todo.put(x); done.get(timeout=20)",
    ),
    "a pool of threads": (
        "pool = futures.ThreadPoolExecutor(2); pool.submit(abs, 1).result()",
        "pool.submit(abs, x).result()",
    ),
    "whoever else wants the core": (
        SERVED,
        "todo.put(x)\n        while done.empty(): os.sched_yield()\n        done.get()",
    ),
}
# Files beside the program's folder are not translated: no slice sees what they do.
ROUNDS = """\
import os, queue, threading, time
from concurrent import futures

def serve():
    while True:
        done.put(todo.get())

def release():
    while True:
        todo.get()()

{first}

def run(function):
    for x in range(30):
        {between}
        yield function(x)
"""
MAIN = """\
import sys
sys.path.append("lib")
import rounds
import work

print(list(rounds.run(work.nap)))
"""


def run_with_waits(what: str, speculate: str, folder: Path) -> tuple[int, int, dict[str, int]]:
    """How many copies were made, what they issued, and what ended them."""
    first, between = WAITS[what]
    rounds = ROUNDS.format(first=first, between=between)
    case = Case(what, what, {}, {"main.py": MAIN, "lib/rounds.py": rounds})
    program, environment = lay_out(case, folder / "cord", PLAN.format(speculate), nap=0.02)
    told = folder / "told.json"
    cord = run_script(case, program, [TOLD_RUN, "planned", str(told)], environment)
    plain = run_plain(case, program, environment)
    assert (cord.stdout, cord.code) == (plain.stdout, plain.code), cord.stderr
    made, issued, _, ends, refused, *_ = json.loads(told.read_text())
    assert made > 0 and refused is None
    return made, issued, ends


@pytest.mark.parametrize("what", WAITS)
def test_the_programs_threads_go_on_in_a_copy(what: str, tmp_path: Path) -> None:
    made, issued, ends = run_with_waits(what, "likely", tmp_path)
    assert issued > made, ends


@pytest.mark.parametrize("what", WAITS)
def test_a_wait_for_another_thread_ends_the_copy(what: str, tmp_path: Path) -> None:
    made, issued, ends = run_with_waits(what, "exact", tmp_path)
    # the last one may find nothing to wait for, and one that gets no time may come too late
    waited = ends.get("a wait for another thread", 0)
    assert waited >= 1, ends
    assert waited + ends.get("the program went elsewhere", 0) >= made - 1, ends
    assert issued <= made


OPENMP = """\
long sum(long n) {
    long all = 0;
    #pragma omp parallel for reduction(+:all) num_threads(4)
    for (long i = 0; i < n; i++) all += i % 7;
    return all;
}
"""
COUNTS = """\
import ctypes

counting = ctypes.CDLL("./libcounting.so")
print(counting.sum(1000))

def run(function):
    for x in range(40):
        yield function(x + counting.sum(10_000) % 3)
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_parallel_regions_are_computed_by_the_copy_itself(tmp_path: Path) -> None:
    case = Case("regions", "regions", {}, {"main.py": MAIN, "lib/rounds.py": COUNTS})
    program, environment = lay_out(case, tmp_path / "cord", PLAN.format("likely"), nap=0.03)
    build = ["cc", "-shared", "-fPIC", "-fopenmp", "-o", "libcounting.so", "-xc", "-"]
    made = subprocess.run(build, input=OPENMP.encode(), cwd=program, check=False)
    if made.returncode != 0:
        pytest.skip("the C compiler has no OpenMP")
    environment["OMP_WAIT_POLICY"] = "active"  # those who wait for threads do not sleep
    told = tmp_path / "told.json"
    cord = run_script(case, program, [TOLD_RUN, "planned", str(told)], environment)
    spans = read_spans(tmp_path / "cord" / "spans")
    plain = run_plain(case, program, environment)
    assert (cord.stdout, cord.code) == (plain.stdout, plain.code), cord.stderr
    assert most_at_once(spans) >= 3, told.read_text()
