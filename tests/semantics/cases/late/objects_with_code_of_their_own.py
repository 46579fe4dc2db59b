# Local work over objects whose operators, properties and iterators print is no local work.
# file: work.py
import time


def step(x):
    time.sleep(0.003)
    print("step", x)
    return x + 1
# file: main.py
import builtins
from dataclasses import dataclass

import work


class Loud:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        print("add")
        return Loud(self.value + other)

    @property
    def seen(self):
        print("seen")
        return self.value

    def tell(self):
        print("tell")
        return self.value


class Quiet:
    scale = 3

    def __init__(self, value):
        self.value = value
        self.loud = Loud(value)

    def times(self, n):
        return sum(self.value * self.scale for _ in range(n))


@dataclass
class Point:
    x: int
    y: int


def added(value, n):
    total = value
    for _ in range(n):
        total = total + 1
    return total


def looked(value, n):
    return [value.seen for _ in range(n)]


def walked(values):
    total = 0
    for value in values:
        total += value
    return total


def noisy(n):
    for i in range(n):
        print("item", i)
        yield i


def main():
    for value in (3, Loud(3), 2.5):
        r = work.step(1)
        total = added(value, 3)
        print(r, getattr(total, "value", total))
    for value in ([1, 2], noisy(2), iter([3]), {4: 5}, map(print, "ab")):
        r = work.step(2)
        try:
            total = walked(value)
        except TypeError as error:
            total = str(error)
        print(r, total)
    loud, quiet = Loud(9), Quiet(4)
    r = work.step(3)
    seen = looked(loud, 2)
    print(r, seen)
    r = work.step(4)
    total = quiet.times(5)
    print(r, total)
    r = work.step(5)
    total = [loud.tell() for _ in range(2)]
    print(r, total)
    points = [Point(1, 2), Point(3, 4)]
    r = work.step(6)
    total = sum(point.x * point.y for point in points)
    print(r, total)
    points.append(Point(Loud(1), 2))
    r = work.step(6)
    total = [point.x + 1 for point in points if point.y]
    print(r, len(total))
    Quiet.times = lambda self, n: print("replaced") or n
    r = work.step(7)
    total = quiet.times(5)
    print(r, total)
    plain = builtins.sum
    builtins.sum = lambda items: print("my sum") or plain(items)
    r = work.step(8)
    total = sum(i * i for i in range(10))
    print(r, total)
    builtins.sum = plain


main()
globals()["walked"] = lambda values: print("another one")
r = work.step(9)
total = walked([1])
print(r, total)
