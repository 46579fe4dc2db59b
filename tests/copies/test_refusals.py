"""Where a copy could be in the program's way there is none, and the account says why."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program_case import Case, clean_environment, run_plain, run_script
from spans import lay_out

TOLD_RUN = str(Path(__file__).parent / "told_run.py")
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true

[run]
copies = true
"""
# What a program does first, if the machine lets it, and why there are no copies then.
REASONS = {
    "the program uses io_uring": "kept = libc.syscall(425, 1, ctypes.create_string_buffer(120))",
    "the program uses a device": "kept = open_a_device()",
    "shared memory that cannot be copied": "kept = attach()",
    "there is one core only": "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); kept = 0",
    "descriptors that cannot be cut off": "kept = open_many()",
}
LIBRARY = """\
import ctypes, os, resource

libc = ctypes.CDLL(None)

def open_a_device():
    for name in ("hwrng", "rtc0", "kvm", "loop-control", "input/mice", "ptp0"):
        try:
            return os.open("/dev/" + name, os.O_RDONLY)
        except OSError:
            continue
    return -1

def attach():
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, 4096, 0o1600)
    place = libc.shmat(segment, None, 0)
    libc.shmctl(segment, 0, None)
    return segment

def open_many():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < 5000:
        return -1
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return len([os.dup(0) for _ in range(4200)])

{first}

def run(function):
    for x in range(12):
        yield function(x)
"""
MAIN = """\
import sys
sys.path.append("lib")
import rounds
import work

print(rounds.kept >= 0, list(rounds.run(work.nap)))
"""


def case_of(name: str, first: str) -> Case:
    return Case(name, name, {}, {"main.py": MAIN, "lib/rounds.py": LIBRARY.format(first=first)})


@pytest.mark.parametrize("reason", REASONS)
def test_there_are_none_where(reason: str, tmp_path: Path) -> None:
    case = case_of(reason, REASONS[reason])
    program, environment = lay_out(case, tmp_path / "cord", PLAN, nap=0.01)
    told = tmp_path / "told.json"
    cord = run_script(case, program, [TOLD_RUN, "planned", str(told)], environment)
    plain = run_plain(case, program, environment)
    assert (cord.stdout, cord.code) == (plain.stdout, plain.code), cord.stderr
    if not plain.stdout.startswith(b"True"):
        pytest.skip("this machine does not let the program do that")
    made, _, _, _, refused, *_ = json.loads(told.read_text())
    assert (made, refused) == (0, reason)


@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
def test_there_are_none_under_a_tracer(tmp_path: Path) -> None:
    case = case_of("traced", "kept = 0")
    program, environment = lay_out(case, tmp_path / "cord", PLAN, nap=0.01)
    told = tmp_path / "told.json"
    words = ["strace", "-f", "-o", "/dev/null", "-e", "trace=none", "-e", "signal=none"]
    traced = subprocess.run(
        [*words, sys.executable, TOLD_RUN, "planned", str(told), "main.py"],
        cwd=program,
        env=clean_environment(environment),
        capture_output=True,
        check=False,
    )
    if b"ptrace" in traced.stderr:
        pytest.skip("this machine does not let anybody trace")
    assert traced.stdout == run_plain(case, program, environment).stdout
    made, _, _, _, refused, *_ = json.loads(told.read_text())
    assert (made, refused) == (0, "a debugger or tracer watches the program")
