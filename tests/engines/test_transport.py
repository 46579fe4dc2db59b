"""Calls and replies of all sizes come over every transport, and end with the client."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODULES = {
    "first.py": """
import ctypes
import os
from array import array
from pickle import PickleBuffer

class Block:
    \"\"\"Bytes that travel out of band.\"\"\"
    def __init__(self, data):
        self.data = data
    def __reduce_ex__(self, protocol):
        return Block, (PickleBuffer(self.data),)

def echo(block):
    return Block(bytes(block.data)[::-1])

def fail(block):
    raise ValueError(len(bytes(block.data)))

def sockets():
    kinds = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if
             os.path.islink(f"/proc/self/fd/{fd}")]
    return open("/proc/self/net/tcp").read(), kinds

def held(data):
    place = ctypes.addressof(ctypes.c_char.from_buffer(data))
    for line in open("/proc/self/maps"):
        start, end = (int(number, 16) for number in line.split()[0].split("-"))
        if start <= place < end:
            return int("memfd:cord" in line)

def process(number):
    return os.getpid()
""",
    "second.py": """
def size(block):
    return len(bytes(block.data))
""",
}
PROGRAM = """
import os
from pickle import PickleBuffer
from first import Block, echo, fail, held
from second import size

for number in [0, 1, 100, 65_535, 65_536, 1_000_000, 9_000_000]:
    data = os.urandom(number)
    back = echo(Block(data))
    assert bytes(back.data)[::-1] == data
    made = echo(Block(data))
    print(number, size(made), size(echo(back)))
    try:
        fail(back)
    except ValueError as error:
        print(error)
print("shared", *(held(PickleBuffer(bytearray(size))) for size in (10, 300_000)))
"""


def run(folder: Path, transport: str, other: str, program: str = PROGRAM) -> list[str]:
    """The lines that a program prints whose modules use these transports."""
    plan = f"""
[remote.first]
repeatable = true
callstyle = "async"
replicas = 2
transport = "{transport}"
functions.process.callstyle = "sync"

[remote.second]
repeatable = true
callstyle = "async"
transport = "{other}"
"""
    for name, text in {**MODULES, "main.py": program, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


SHARED = {"auto": "0 1", "shm": "0 1", "unix": "0 0", "tcp": "0 0"}


@pytest.mark.parametrize("transport", SHARED)
@pytest.mark.parametrize("other", ["auto", "tcp"])
def test_values_of_all_sizes_come_and_go(tmp_path, transport, other):
    lines = run(tmp_path, transport, other)
    assert lines[-1] == f"shared {SHARED[transport]}"
    assert lines[:2] == ["0 0 0", "0"]
    assert lines[-3:-1] == ["9000000 9000000 9000000", "9000000"]


def test_no_port_stays_open(tmp_path):
    program = """
from first import sockets
table, kinds = sockets()
listening = [line for line in table.splitlines()[1:] if line.split()[3] == "0A"]
inodes = {kind[8:-1] for kind in kinds if kind.startswith("socket:[")}
print([line for line in listening if line.split()[9] in inodes])
print(sum(line.split()[9] in inodes for line in table.splitlines()[1:]))
"""
    assert run(tmp_path, "tcp", "auto", program) == ["[]", "1"]


def test_a_replica_that_is_killed_is_replaced(tmp_path):
    program = """
import os, signal
from first import Block, echo, process
for number in range(4):
    assert len(bytes(echo(Block(bytes(number))).data)) == number
    os.kill(process(number), signal.SIGKILL)
print("fine")
"""
    assert run(tmp_path, "tcp", "tcp", program) == ["fine"]
