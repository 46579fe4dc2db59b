# A pipeline of three stages, in loops, comprehensions, helpers and generators.
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


def rows(numbers):
    for number in numbers:
        yield total(raised(make(number), by=number))


def row(number):
    made = make(number, size=70_000 + number)
    lifted = raised(made)
    return total(lifted, more=number)


for number in range(12):
    print(number, total(raised(make(number))))
for number in range(12):
    made = make(number)
    lifted = raised(data=made, by=2)
    print(number, total(more=1, data=lifted))
print([total(raised(make(number))) for number in range(8)])
print(list(rows(range(5))), [row(number) for number in range(6)], row(99))
total_of_all = 0
for number in range(5):
    total_of_all += total(make(number, 3)) + total(make(number, 100_000))
print(total_of_all, list(map(lambda n: total(raised(make(n))), range(4))))
