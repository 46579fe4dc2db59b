"""Programs and remote functions that close descriptors which they have not opened."""

from __future__ import annotations

import pytest

PURE = '[remote.work]\nreplicas = 2\ncallstyle = "async"\nrepeatable = true\n'
IMPURE = "[remote.work]\nreplicas = 1\n"
WORK = """
import os
import numpy as np
count = 0
def double(x): return 2 * x
def made(n): return np.full(100_000, float(n))
def counted():
    global count
    count += 1
    return count
def replica(): return os.getpid()
def closing(x, names):
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    files = [open(name, "w+") for name in names]
    print("closed")
    for file in files:
        file.write("own")
        file.close()
    return x
"""
CLOSE = 'import os\nos.closerange(3, os.sysconf("SC_OPEN_MAX"))\n'
# All of few descriptors: the program's files get the numbers of Cord's.
FEW = """
import os, resource, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
os.execv(sys.executable, [sys.executable, "-m", "cord", "run", "main.py"])
"""


@pytest.fixture
def run(project):
    """Runs a program that calls `work`; nothing of it may stay."""

    def start(main: str, plan: str = PURE, words: tuple[str, ...] = ("main.py",), **how):
        made = project({"cord.toml": plan, "work.py": WORK, "main.py": main, "few.py": FEW})
        result = made.run(*words, **how)
        assert made.left_behind() == []
        return result, made.folder

    return start


def printed(result) -> str:
    """What a run that ended well wrote."""
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_a_program_that_closes_all_and_calls_no_more_ends(run):
    result, _ = run("import work\nprint(work.double(1))\n" + CLOSE)
    assert printed(result) == "2\n"


def test_calls_without_state_go_on_in_the_program(run):
    main = f"import work\n{CLOSE}print(work.counted(), work.counted(), work.double(4))\n"
    result, _ = run(main, IMPURE)
    assert printed(result) == "1 2 8\n"


def test_what_a_module_kept_in_its_replica_is_never_made_up(run):
    main = f"""
import time, work
print(work.counted())
replica = work.replica()
{CLOSE}
try:
    while True:  # until it has ended: before, it may still answer
        os.kill(replica, 0)
        time.sleep(0.01)
except ProcessLookupError:
    print("closed", flush=True)
work.counted()
"""
    result, _ = run(main, IMPURE)
    assert (result.returncode, result.stdout) == (1, "1\nclosed\n")
    error, _, hint = result.stderr.rpartition("cord.errors.CallMayHaveRun: ")[2].partition("\n\n")
    assert error.startswith("main.py:14: work.counted() has no replica any more")
    assert "the program has closed descriptors that it had not opened" in error
    assert hint.startswith("hint: ")


def test_files_that_get_the_numbers_of_cords_descriptors_are_the_programs_own(run):
    main = f"""
import work
results = [float(work.made(n)[0]) + work.double(n) for n in range(6)]
{CLOSE}
files = [open(f"own-{{n}}", "w+") for n in range(55)]
for n, file in enumerate(files):
    file.write(f"file {{n}}")
    file.flush()
    file.seek(2)
print(files[-1].fileno(), results)
for n in range(6):
    print(work.made(n)[n] + work.double(n))
print([file.tell() for file in files] == [2] * 55)
print([file.read() for file in files] == [f"le {{n}}" for n in range(55)])
for file in files:
    file.close()
"""
    result, folder = run(main, words=("few.py",), cord=False)
    rest = "".join(f"{3.0 * n}\n" for n in range(6)) + "True\nTrue\n"
    assert printed(result) == f"57 {[3.0 * n for n in range(6)]}\n{rest}"
    assert (folder / "own-54").read_text() == "file 54"


def test_the_program_has_the_numbers_that_it_has_without_cord(run):
    main = """
import work
kept = [work.made(n) for n in range(4)]
files = [open("/dev/null") for _ in range(5)]
print([file.fileno() for file in files], os.listdir("/proc/self/fd").__len__() > 8)
"""
    result, _ = run("import os" + main)
    numbers = printed(result)
    plain, _ = run("import os" + main, cord=False)
    assert numbers.partition("]")[0] == printed(plain).partition("]")[0]
    assert "True" in numbers


@pytest.mark.parametrize(
    ("plan", "kind"), [(PURE, "PoisonCall"), (IMPURE + 'restart = "fresh"\n', "CallMayHaveRun")]
)
def test_a_remote_function_that_closes_all_is_named(run, plan, kind):
    main = """
import work
names = [f"own-{n}" for n in range(20)]
try:
    work.closing(1, names)
except Exception as error:
    print(type(error).__name__, error)
print(work.double(3), {open(name).read() for name in names} <= {"", "own"})
"""
    result, _ = run(main, plan)
    first, last = printed(result).split("\n\n")
    assert first.startswith(f"{kind} main.py:5: work.closing(1, [")
    assert first.endswith("has closed descriptors that it had not opened; the call may have run")
    assert last.startswith("hint: ")
    assert last.endswith("\n6 True\n")
