# The replica that keeps a value is killed: the chain is made again from its start.
# file: cord.toml
[run]
audit = false

[remote.first]
replicas = 1
callstyle = "async"
pure = true

[remote.second]
replicas = 1
callstyle = "async"
pure = true

[remote.third]
replicas = 1
callstyle = "async"
pure = true
# file: first.py
import os


def make(number, size=200_000):
    return bytearray([number % 256]) * size


def make_even(number, size=200_000):
    print("making", number)
    if number % 2:
        raise ValueError(f"{number} is odd")
    return make(number, size)


def process():
    return os.getpid()
# file: second.py
def raised(data, by=1):
    new = bytearray(data)
    new[0] = (new[0] + by) % 256
    return new


def picky(data):
    if data[0] == 4:
        raise LookupError(f"no {data[0]} please")
    return raised(data)


def both(left, right):
    return left is right, left == right, len(left) + len(right)
# file: third.py
def total(data, more=0):
    return sum(data[:10]) + len(data) + more
# file: main.py
import os
import signal
from contextlib import suppress

from first import make, process
from second import raised
from third import total


def kill_first():
    """Kill the one process of the first stage, which has the values."""
    there = process()
    if there != os.getpid():
        with suppress(ProcessLookupError):  # asked ahead, it may be one that was killed since
            os.kill(there, signal.SIGKILL)


def one(number):
    made = make(number)
    if number % 2:
        kill_first()
    lifted = raised(made)
    if number == 2:
        kill_first()
    return total(lifted), total(made)


for number in range(5):
    print(one(number))
made = make(9)
lifted = raised(made)
kill_first()
print(total(lifted), total(raised(lifted)))
