# Local work inside the statement that uses the value.
# stderr: whole
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
# file: work.py
import os
import time

TICKS = 3
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


def inverse(x):
    time.sleep(0.003)
    print("inverse of", x)
    return 1 / x
# file: main.py
import os

import work

PID = os.getpid()
SIZE = 1_000_000


def local_work(z, n):
    total = z
    for i in range(n):
        total += i * i % 7
    return total


def failing(n):
    total = sum(i * i for i in range(n))
    return total // (n - n)


def combined(r, y, z=0):
    return r * 3 + y - z


def returned(x):
    r = work.beside(x, PID)
    return combined(r, local_work(x, SIZE))


def added(x):
    r = work.beside(x, PID)
    x = (r + local_work(x, SIZE)) % 1009
    r = work.beside(x, PID)
    x += r - local_work(x, SIZE)
    return x


def printed(x):
    r = work.beside(x, PID)
    print(r, local_work(x, SIZE))


def chained(x):
    for _ in range(3):
        r = work.beside(x, PID)
        x = combined(r, local_work(x, SIZE), sum(k for k in range(1000)))
    return x % 1009


def raising(x):
    y = "unset"
    try:
        r = work.inverse(x)
        y = r + failing(50)
    except ZeroDivisionError as error:
        print(error, repr(error.__context__), y, error.__traceback__.tb_lineno)
    try:
        r = work.inverse(x)
        unknown(r, failing(50))
    except (NameError, ZeroDivisionError) as error:
        print(error, y)
    try:
        r = work.inverse(x)
        later += r + failing(50)
        later = 3
    except (NameError, ZeroDivisionError) as error:
        print(error, y)


def perhaps(x):
    if x:
        r = work.inverse(x)
    return combined(r, local_work(x, 100))


print(returned(1), added(2), chained(3))
printed(4)
raising(1)
raising(0)
print(perhaps(1))
r = work.inverse(2)
x = r + local_work(2, 500)
print(x)
print(perhaps(0))
