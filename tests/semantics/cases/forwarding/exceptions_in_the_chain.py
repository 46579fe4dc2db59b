# What a link of a chain raises shows where the plain program shows it, after what came before.
# stderr: whole
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
from first import make_even
from second import picky
from third import total


def one(number):
    made = make_even(number)
    print("made")
    taken = picky(made)
    print("taken")
    return total(taken)


for number in range(9):
    try:
        print(total(picky(make_even(number))))
    except (ValueError, LookupError) as error:
        print("caught", error)
for number in range(9):
    try:
        print(one(number))
    except LookupError as error:
        print("lookup", error, error.__traceback__.tb_next.tb_lineno)
    except ValueError as error:
        print("value", error, error.__traceback__.tb_next.tb_lineno)
for number in range(0, 9, 2):
    print(
        total(
            picky(
                make_even(number)
            )
        )
    )
