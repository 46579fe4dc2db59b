# Objects of the main script's classes go along a chain, and come back as its own.
# file: cord.toml
[remote.first]
replicas = 2
callstyle = "async"
pure = true

[remote.second]
replicas = 2
callstyle = "async"
pure = true

[remote.third]
replicas = 1
callstyle = "async"
pure = true

[remote.shapes]
replicas = 2
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
# file: shapes.py
def boxed(value):
    return [value]


def grown(box):
    return box * 2


def weight(box):
    return len(box), type(box[0]).__name__, sorted(getattr(box[0], "data", box[0]))[:2]
# file: main.py
from first import make
from shapes import boxed, grown, weight


class Point:
    def __init__(self, data):
        self.data = data

    def __eq__(self, other):
        return type(other) is Point and self.data == other.data


def wrapped(number):
    held = boxed(Point(bytearray([number]) * 100_000))
    larger = grown(held)
    return weight(larger)


for number in range(5):
    print(wrapped(number), weight(boxed(Point(make(number)))), weight(grown(boxed({1, 2, number}))))
result = boxed(Point(b"x"))
print(isinstance(result[0], Point), result == [Point(b"x")])
