# A child that is forked between two links of a chain has the value.
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
import os

from first import make
from third import total


def both_go_on(number):
    made = make(number)
    child = os.fork()
    if child == 0:
        print("child", total(made), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    return total(made)


for number in range(3):
    print("parent", both_go_on(number), flush=True)
