# A chain of any length, in loops: each value goes straight to the next call.
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
from first import make
from second import raised
from third import total

value = make(1)
for number in range(40):
    value = raised(value, by=number)
print(total(value))
for start in range(4):
    value = make(start, 70_000)
    while_count = 0
    while while_count < 10:
        value = raised(value)
        while_count += 1
    print(start, total(value), total(raised(raised(raised(raised(make(start)))))))
