# Functions that make remote calls themselves travel as they are written.
# file: helpers.py
import work

K = 3


def norm(row):
    return sum(work.square(x) for x in row) * K


def maker(k):
    return lambda x: work.square(x) + k + K


class Shape:
    def area(self):
        return work.square(self.side)
# file: work.py
import functools


def square(x):
    return x * x


def apply(function, *args):
    return function(*args)


def made(x):
    return functools.partial(square, x), square, (lambda: x)
# file: main.py
import helpers
import work
from work import apply, square

N = 2


def norm(row):
    return sum(square(x) for x in row) ** N


def two():
    return (lambda x: work.square(x), lambda x: -work.square(x) * N)


class Box:
    def __init__(self, v):
        self.v = v

    def area(self):
        return square(self.v) + helpers.K

    def both(self, other):
        return [box.area() for box in (self, other)]


class Side(helpers.Shape):
    def __init__(self, side):
        self.side = side


def factorial(n):
    return 1 if n == 0 else n * apply(factorial, n - 1)


for i in range(3):
    row = [i, i + 1]
    print(norm(row), apply(norm, row), apply(helpers.norm, row))
plus, minus = two()
print(plus(3), minus(3), apply(plus, 3), apply(minus, 3), apply(helpers.maker(2), 3))
box = Box(3)
print(box.area(), apply(box.area), apply(Box.both, box, Box(1)), apply(Side(4).area))
bound, named, constant = work.made(4)
print(bound(), named(3), constant(), apply(named, 7), apply(square, 8))
print(apply(apply, square, 9), factorial(5), apply(lambda: work)().square(3))
