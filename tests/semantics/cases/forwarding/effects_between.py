# Effects, impure calls and output come in the program's order between the links.
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

[remote.log]
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
# file: log.py
def note(text):
    with open("log.txt", "a") as file:
        file.write(text + "\n")
    return len(text)


def size(data):
    note(f"size {len(data)}")
    return len(data)
# file: main.py
from first import make, make_even
from log import note, size
from third import total

for number in range(0, 6, 2):
    made = make_even(number)
    print("between", number)
    note(f"before {number}")
    length = size(made)
    note(f"after {number}: {length}")
    print(total(make_even(number), note(f"argument {number}")))
print(open("log.txt").read())
print(size(make(3)), total(make(3), size(make(4))))
