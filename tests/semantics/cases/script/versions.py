# What a function reads is what it was at the moment of the call: globals, defaults, attributes.
# file: work.py
def call(function, *args):
    return function(*args)


def show(value):
    return str(value)
# file: main.py
import work

RATE = 1
TABLE = [1, 2, 3]


class Unit:
    size = 1

    def __init__(self, n):
        self.n = n

    def __str__(self):
        return f"{self.n}x{self.size}"


def priced(x):
    return x * RATE


def looked_up(i):
    return TABLE[i] + len(TABLE)


def named(x):
    return missing(x)


for RATE in (1, 2, 2, 3, 1):
    print(work.call(priced, 10))
for i in range(3):
    TABLE[i] *= 10
    print(work.call(looked_up, i))
    TABLE.append(i)
for n in range(4):
    print(work.show(Unit(n)))
    Unit.size += n
Unit.__str__ = lambda self: "changed"
print(work.show(Unit(1)))
try:
    print(work.call(named, 1))
except NameError as error:
    print(error)
missing = abs
print(work.call(named, -1))
missing = len
print(work.call(named, "four"))
del missing
try:
    print(work.call(named, 1))
except NameError as error:
    print(error)


def priced(x):
    return -x


print(work.call(priced, 10))


class Unit:
    def __init__(self, n):
        self.n = n

    def __str__(self):
        return "another class"


print(work.show(Unit(1)))
