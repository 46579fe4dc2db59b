# `append` is looked up before the call is made: what has none, or another, says so first.
# file: work.py
import time


def step(x):
    time.sleep(0.002)
    if x == 6:
        raise ValueError("no step", x)
    return x + 1
# file: main.py
import collections

import work


def local_work(n):
    return sum(i * i for i in range(n)) % 13


class Noted(list):
    def __getattribute__(self, name):
        print("looked up", name)
        return super().__getattribute__(name)

    def append(self, value):
        print("appended", value)
        super().append(value)


class Empty:
    pass


def grow(xs, x):
    xs.append(work.step(x))
    y = local_work(200)
    print("meanwhile", y)
    return len(xs)


def extend(xs, x):
    xs += work.step(x)
    y = local_work(200)
    print("meanwhile", y)
    return xs


for make in (list, tuple, Noted, Empty, collections.deque, lambda: None):
    for x in (1, 6):
        try:
            print(grow(make(), x))
        except Exception as error:
            print(repr(error))
for x in (1, 6):
    for start in (2, (), [3]):
        try:
            print(extend(start, x))
        except Exception as error:
            print(repr(error))
# file: cord.toml
[remote.work]
callstyle = "async"
pure = true
