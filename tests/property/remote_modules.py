"""The remote modules that random programs call, and plans for them.

`work` is pure and has several replicas, `state` is not and has one, `mixed` is both. Every call of
an impure function leaves a line in `calls.log`, so that calls made twice, in vain or out of order
show. Some calls nap for a moment, so that replies come in any order.
"""

from __future__ import annotations

from random import Random

WORK = """\
import sys
import time
from dataclasses import dataclass


class Refused(Exception):
    def __init__(self, code):
        super().__init__(f"refused {code}")
        self.code = code


@dataclass
class Point:
    x: int
    y: int = 0

    def size(self):
        return abs(self.x) + abs(self.y)


@dataclass(frozen=True)
class Cell:
    row: int
    column: int = 1


def _nap():
    now = time.monotonic_ns() // 1000
    if now % 4 == 0:
        time.sleep(now % 2001 / 1e6)


def f(x):
    _nap()
    return (x * 7 + 3) % 11


def g(x, y=1):
    _nap()
    return (x * 5 + y * 3) % 13


def h(*xs, k=2, **more):
    return (sum(xs) * k + len(more)) % 17


def slow(x):
    time.sleep(0.001)
    if x % 5 == 4:
        print("slow", x)
    if x % 7 == 6:
        raise ValueError("slow", x)
    return (x * 3 + 1) % 12


def half(x):
    _nap()
    return x / 8 + 0.1


def boom(x):
    _nap()
    if x % 5 == 0:
        raise ValueError(x)
    if x % 7 == 6:
        raise KeyError("k", x)
    if x % 11 == 3:
        raise Refused(x)
    return x - 1


def caused(x):
    try:
        return 12 // (x % 4) % 5
    except ZeroDivisionError as error:
        error.add_note(f"x was {x}")
        raise Refused(x) from error


def many(x):
    if x % 2:
        raise ExceptionGroup("many", [ValueError(x), KeyError(x)])
    return x % 5


def quits(x):
    if x % 6 == 5:
        raise SystemExit(x % 4)
    return x % 5


def stops(x):
    if x % 4 == 3:
        raise StopIteration(x)
    return x % 5


def show(*xs):
    _nap()
    return repr(xs)


def shape(xs):
    return [[i for i, y in enumerate(xs) if y is x] for x in xs]


def mk(x):
    _nap()
    return [x % 7, x % 3]


def near(x):
    _nap()
    return [(x * 2) % 7, (x + 3) % 7]


def pair(x):
    return x % 5, x % 4


def table(x):
    return {x % 3: x % 5, "k": x % 2}


def total(xs):
    return sum(int(v) for v in xs if isinstance(v, (int, float)) and v == v) % 17


def mean(x, y):
    _nap()
    return (x + y) / 2


def merge(xs, ys):
    _nap()
    return sorted([*xs, *ys])


def less(x, y):
    return x < y


def maybe(x):
    _nap()
    return None if x % 3 == 1 else x % 7


def say(x):
    _nap()
    print("say", x)
    return x % 6


def warn(x):
    print("warn", x, file=sys.stderr)
    return x % 6


def wide(x):
    _nap()
    return bytes([x % 7, x % 5]) * 40_000


def tinted(data, x=1):
    _nap()
    if x % 5 == 0:
        raise ValueError(data[:2], x)
    print("tinted", data[0], x)
    return bytes([(data[0] + x) % 9]) * len(data)


def joined(data, *more):
    return data[:30_000].join([data[:1], data[:1], *more])


def thin(data, x=0):
    _nap()
    return (data[0] * 2 + data[-1] + len(data) + x) % 11


def weigh(box, x):
    _nap()
    return (box.value * 3 + len(box.items) + x) % 11


def grown(box, x):
    return type(box)((box.value + x) % 9)


def make(x):
    return Point(x % 5, x % 3)


def move(p, x):
    _nap()
    return Point(p.x + x % 3, p.y - x % 2)
"""

STATE = """\
_kept = []


def _note(*what):
    with open("calls.log", "a") as log:
        print(*what, file=log)


def put(x):
    _note("put", x)
    _kept.append(x)
    return len(_kept) % 9


def last():
    _note("last")
    return _kept[-1] if _kept else 0


def take():
    _note("take")
    return _kept.pop()


def tell(x, y=0):
    _note("tell", x, y)
    print("tell", x, len(_kept))
    if x % 9 == 4:
        raise LookupError(x)
    return x % 5
"""

MIXED = """\
_count = 0


def count():
    global _count
    _count += 1
    with open("calls.log", "a") as log:
        print("count", _count, file=log)
    return _count % 8


def twice(x):
    return x * 2 % 9
"""

REMOTE_MODULES = {"work.py": WORK, "state.py": STATE, "mixed.py": MIXED}


# What plans add for `work`, half of them nothing.
ADDED = ["lookahead.calls = 3", "forward = false", "batch = 1", "batch = 4", "", "", "", ""]


def plan(random: Random) -> str:
    """A plan for the three modules."""
    replicas = random.choice([1, 2, 2, 2, 3])
    callstyle = random.choice(["async"] * 14 + ["async-demand(2)", "async-demand(2)", "sync"])
    return f"""\
[remote.work]
replicas = {replicas}
callstyle = "{callstyle}"
pure = true
{random.choice(ADDED)}

[remote.state]
callstyle = "async"

[remote.mixed]
callstyle = "async"

[remote.mixed.functions.twice]
pure = true
"""
