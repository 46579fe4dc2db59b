# Among many short calls, some are given or return what is no scalar, or raise.
# file: work.py
def f(x):
    kind = x % 8
    if kind == 1:
        return [x]
    if kind == 2:
        raise ValueError("no", x)
    if kind == 3:
        return "é" * x * 10
    if kind == 4:
        return 2 ** (x * 3), -(2**63) + x, 2**63 - x
    if kind == 5:
        return 2**63 - x
    if kind == 6:
        raise SystemExit(x)
    return x


def same(x):
    return x


def twice(x):
    return x, x, [x][0], str(x)


def several(a, b=2, *rest, c=3, **others):
    return f"{a!r} {b!r} {rest!r} {c!r} {others!r}"


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def text(n):
    return "__main__.T" + str(n)


class Number:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("gone", self.n)


def leaves(n):
    Number(n)
    return n


# file: main.py
import traceback

import work

for i in range(64):
    try:
        print(i, work.f(i))
    except BaseException as error:
        print(i, repr(error), [entry.name for entry in traceback.extract_tb(error.__traceback__)])

values = [None, True, 1, 1.0, -0.0, float("inf"), float("nan"), "", "x", b"", b"\0\xff", -1, 2**70]
for value in values:
    print(repr(work.same(value)))
    again = work.twice(value)
    print(repr(again))
    if isinstance(value, (str, bytes)):
        print(again[0] is again[1], again[0] is again[2])
print(work.several(1), work.several(1, 2, 3, 4, 5, 6, 7, 8), work.several(1, 2, 3, 4, 5, 6, 7, 8, 9))
print(work.several(1, c=2, d=4), work.several("a", "a", "b"))
for wrong in (lambda: work.same(), lambda: work.same(1, 2), lambda: work.deep(10**6)):
    try:
        wrong()
    except (TypeError, RecursionError) as error:
        print(type(error).__name__, error)
for i in range(20):
    print(work.same(work.text(i)), work.deep(i), work.leaves(i))
