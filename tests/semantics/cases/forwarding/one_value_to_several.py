# One value goes to several calls; each gets it once, and as one object where it is one.
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
from second import both, raised
from third import total

for number in range(8):
    made = make(number)
    one = raised(made)
    two = raised(made, by=2)
    print(both(made, made), both(one, two), both(one, right=made), total(made))
for number in range(8):
    small = make(number, 10)
    print(both(small, small), total(small), total(raised(small)), both(make(1), make(1)))


def unbound(number):
    if number > 2:
        made = make(number)
    return total(made)


for number in (3, 4, 1):
    try:
        print(unbound(number))
    except UnboundLocalError as error:
        print(error)


def removed(number):
    made = make(number)
    first = total(made)
    del made
    try:
        return first + total(made)
    except UnboundLocalError:
        return first


print(removed(3), removed(4))
