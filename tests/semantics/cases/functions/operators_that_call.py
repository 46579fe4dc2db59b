# Operators make remote calls: subclasses, reflected ones, NotImplemented, changes and errors.
# file: work.py
def square(x):
    return x * x


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x + 100
# file: main.py
from __future__ import annotations

from work import picky, square


class Number:
    def __init__(self, x):
        self.x = x

    def __add__(self, other: int | Number):
        if not isinstance(other, Number):
            return NotImplemented
        return type(self)(square(self.x) + other.x)

    def __radd__(self, other):
        return Number(square(other))

    def __or__(self, other):
        return square(self.x + other)

    def __getitem__(self, key):
        print("item", key)
        return square(key) if isinstance(key, int) else (key, square(self.x))

    def __contains__(self, x):
        return square(x) > self.x

    def __lt__(self, other):
        return square(self.x) < other.x

    def __neg__(self):
        return Number(picky(self.x))

    def __repr__(self):
        return f"{type(self).__name__}({self.x})"


class Special(Number):
    def __radd__(self, other):
        print("special", other)
        return Special(square(self.x + 1))

    def __gt__(self, other):
        return square(other.x) == 4


class Plain:
    def __add__(self, other):
        return "plain"

    def __lt__(self, other):
        return NotImplemented


def order():
    print("left")
    return 2


def holder(number):
    print("right")
    return number


numbers = [Number(n) for n in range(6)]
for n, one in enumerate(numbers):
    other = Special(n)
    print(one + other, one + one, n + one, Plain() + one, one | n, sum([one, one]))
    print(one[n], one[n:], one[1, "x"], order() in holder(one), n not in one, one < other)
    print(numbers[n].x, "abc"[n % 3], n + n, -n, n < 3, [1, 2][n % 2], {n: 1}[n], "a" in "abc")
    if n == 2:
        numbers[3].x = 50
    one.x += 1
    one += one
    print(one)
    try:
        print(one + 1)
    except TypeError as error:
        print(error)
for n in range(8):
    one = Number(n)
    try:
        print(-one)
    except ValueError as error:
        print(error)
    if n == 4:
        Number.__neg__ = lambda self: square(self.x)
    if n == 5:
        Number.__getitem__ = None
    try:
        print(one[n])
    except TypeError as error:
        print(error)
for left, right in [(1, None), (Plain(), Number(2)), (Number(1), 3), (None, [])]:
    for what in (lambda: left + right, lambda: left < right, lambda: left in right):
        try:
            print(what())
        except (TypeError, AttributeError) as error:
            print(type(error).__name__, error)
Alias = list[int] | None
print(Alias, Number.__add__(numbers[1], numbers[2]))
match 5:
    case -1 | 5:
        print("five", [Number(n) | 1 for n in range(4) if n < 3])
print(numbers[0]["key"])
