# Calls run at once in one process, and each shows what is its own, where it stands.
# told: 1
# file: cord.toml
[remote.work]
threads = 5
pure = true
inline = false
[remote.other]
replicas = 2
threads = 2
independent = true
# file: work.py
import sys

import other


class Odd(ValueError):
    pass


def f(x, values=()):
    print("f", x, end=" ")
    if x % 7 == 3:
        raise Odd(x, values)
    print("error", x, file=sys.stderr)
    return [*values, x]


def through(x):
    return other.g(x) + 1
# file: other.py
def g(x):
    print("g", x)
    return x * 2
# file: main.py
import os

import other
import work

values = []
for i in range(40):
    try:
        values = work.f(i, values[-3:])
        print(values)
    except work.Odd as error:
        print(type(error).__name__, error.args)
for i in range(20):
    os.environ["ROUND"] = str(i // 5)
    print(work.through(i))
for i in range(10):
    other.g(i)
print([len(work.f(x * 7, "ab")) for x in range(30)])
