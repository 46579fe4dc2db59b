"""Values that are only passed on stay at replicas: no byte of them comes to the client."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MIB = 1 << 20
MODULES = {
    "first.py": """
import os

def make(number, size):
    return bytearray([number]) * size

def process():
    return os.getpid()
""",
    "second.py": """
def raised(data):
    return bytearray(byte + 1 for byte in data[:10]) + data[10:]
""",
    "third.py": """
def total(data):
    return sum(data[:10]) + len(data)
""",
}
HEAD = """
import gc, os, signal
from first import make, process
from second import raised
from third import total

def traffic():
    from cord.runtime.client.session import Session
    gc.unfreeze()  # so that what was there before the program is found
    return next(each for each in gc.get_objects() if type(each) is Session).traffic
"""
PLAN = """
[remote.first]
pure = {pure}
callstyle = "async"
inline = false
replicas = {replicas}
{more}

[remote.second]
repeatable = true
callstyle = "async"
inline = false
replicas = 2

[remote.third]
repeatable = true
callstyle = "async"
inline = false
"""


def run(
    folder: Path, program: str, pure: str = "true", replicas: int = 1, more: str = ""
) -> subprocess.CompletedProcess[str]:
    """What a program over the three modules shows."""
    plan = PLAN.format(pure=pure, replicas=replicas, more=more)
    for name, text in {**MODULES, "main.py": HEAD + program, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def numbers(folder: Path, program: str, **settings: str | int) -> list[int]:
    """The numbers that the last line of a program's output holds."""
    done = run(folder, program, **settings)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.splitlines()[-1].split()]


LOOP = f"""
for number in range(10):
    made = make(number, {MIB})
    total(raised(made))
print(*traffic())
"""


def test_values_that_are_only_passed_on_do_not_come(tmp_path):
    came, stayed = numbers(tmp_path, LOOP)
    assert came < 10_000  # ten totals
    assert stayed >= 20 * MIB


def test_they_come_where_the_plan_says_so(tmp_path):
    came, stayed = numbers(tmp_path, LOOP, more="forward = false")
    assert came >= 10 * MIB
    assert stayed >= 10 * MIB  # of the second stage


def test_the_program_that_looks_at_them_has_them(tmp_path):
    program = f"""
for number in range(10):
    made = make(number, {MIB})
    print(total(made), len(made))
print(*traffic())
"""
    came, stayed = numbers(tmp_path, program)
    assert came >= 10 * MIB
    assert stayed == 0


def test_small_values_come_along(tmp_path):
    program = """
for number in range(10):
    total(make(number, 100))
print(*traffic())
"""
    came, stayed = numbers(tmp_path, program)
    assert 1000 < came < 10_000
    assert stayed == 0


def test_a_value_wanted_by_several_goes_to_each_from_where_it_is(tmp_path):
    program = f"""
for number in range(5):
    made = make(number, {MIB})
    total(raised(made)); total(raised(made)); total(made)
print(*traffic())
"""
    came, stayed = numbers(tmp_path, program)
    assert came < 10_000
    assert stayed >= 15 * MIB


KILLED = f"""
def one():
    made = make(1, {MIB})
    os.kill(process(), signal.SIGKILL)
    return total(made)

print(one())
print(*traffic())
"""


def test_a_pure_call_is_made_again_for_its_value(tmp_path):
    in_place = "[remote.first.functions.process]\npure = false\n[client.main.remote.third]\n"
    more = in_place + 'callstyle = "sync"'  # not before the replica is killed
    came, stayed = numbers(tmp_path, KILLED, more=more)
    assert came < 10_000
    assert stayed >= 2 * MIB


def test_the_value_of_an_impure_call_is_lost_with_its_replica(tmp_path):
    done = run(tmp_path, KILLED, pure="false")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()
    assert "return total(made)" in done.stderr
    message = next(line for line in last if "ReplicaLost" in line)
    assert "an argument of third.total() is lost with the replica that kept it" in message
    assert "was killed by SIGKILL" in message or "ended" in message


def test_values_are_let_go(tmp_path):
    program = f"""
def resident():
    with open(f"/proc/{{process()}}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Rss"))

for number in range(40):
    total(make(number, 4 * {MIB}))
    if number == 5:
        before = resident()
print(resident() - before)
"""
    (grown,) = numbers(tmp_path, program)
    assert grown < 64 * 1024  # KiB; 34 more values would be 136 MiB
