# Each call waits until it sees the program compute beside it: so its value must be received late.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
# file: work.py
import os
import time

TICKS = 4
LIMIT = 20.0  # seconds after which nobody computes beside the call


def _used(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return int(stat.read().rpartition(")")[2].split()[11])


def beside(x, pid):
    """x + 1, if the process computes meanwhile."""
    if pid == os.getpid():
        return x + 1
    start, begun = _used(pid), time.monotonic()
    while time.monotonic() - begun < LIMIT:
        if _used(pid) >= start + TICKS:
            return x + 1
        time.sleep(0.002)
    return "alone"


def pair(x, pid):
    return beside(x, pid), x
# file: main.py
import os

import work

PID = os.getpid()
SIZE = 1_300_000
WEIGHTS = [1, 2, 3]


def local_work(z, n):
    total = z
    for i in range(n):
        total += i * i % 7
    return total


class Model:
    bias = 2

    def __init__(self, weights):
        self.weights = weights
        self.handle = open(os.devnull)

    def score(self, n):
        return sum(self.weights[i % 3] * i + self.bias for i in range(n))

    def step(self, x):
        r = work.beside(x, PID)
        y = self.score(SIZE)
        return r + y


def in_a_helper(x):
    r = work.beside(x, PID)
    y = local_work(x, SIZE)
    return r + y


def in_loops(x):
    r = work.beside(x, PID)
    rows = []
    for i in range(1000):
        row = []
        for j in range(900):
            row.append(i * j)
        rows.append(len(row))
    return r, sum(rows)


def under_conditions(x):
    found = []
    y = 0
    r = work.beside(x, PID)
    if x % 2:
        y = local_work(1, SIZE)
        found.append(y)
    else:
        found.extend(k * k % 10 for k in range(SIZE))
    return r, y, len(found)


def two_at_once(x):
    a = work.beside(x, PID)
    b = work.beside(x + 1, PID)
    y = local_work(x, SIZE)
    return a * y - b


def unpacked(x):
    a, b = work.pair(x, PID)
    y = local_work(x, SIZE)
    return a, b, y


def added(x):
    total = x
    total += work.beside(x, PID)
    y = [WEIGHTS[k % 3] for k in range(SIZE)]
    total += len(y)
    return total


def appended(x):
    found = [x]
    found.append(work.beside(x, PID))
    y = local_work(x, SIZE)
    return found, y


def carried(turns):
    r = y = 0
    seen = []
    for turn in range(turns):
        y += local_work(turn, SIZE)
        seen.append(r)
        r = work.beside(turn, PID)
    z = local_work(1, SIZE)
    return r, y, z, seen


def while_it_lasts(n):
    x = 1
    while n:
        n -= 1
        r = work.beside(x, PID)
        y = local_work(x, SIZE)
        x = (r + y) % 1009
    return x


def in_a_try(x):
    try:
        r = work.beside(x, PID)
        y = local_work(x, SIZE)
    except ValueError:
        return None
    return r, y


for x in (1, 2):
    print(in_a_helper(x), in_loops(x), under_conditions(x), two_at_once(x), unpacked(x))
    print(added(x), appended(x), in_a_try(x), Model(WEIGHTS).step(x))
print(carried(2), while_it_lasts(2))
here = work.beside(7, PID)
there = local_work(1, SIZE)
print(here, there)
