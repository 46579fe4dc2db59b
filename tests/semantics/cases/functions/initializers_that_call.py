# Objects make remote calls while they are made; classes change in between, and some making fails.
# file: work.py
def square(x):
    return x * x


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x + 100
# file: main.py
import contextlib
from dataclasses import dataclass, field

import work
from work import picky, square


class Base:
    count = 0
    made = []

    def __init__(self, x, *more, scale=1):
        type(self).count += 1
        self.x = x
        self.size = square(x) * scale
        self.made.append(self)
        self.more = [square(one) for one in more]


class Fussy(Base):
    def __init__(self, x):
        self.before = x
        self.value = picky(x)
        super().__init__(self.value)
        print("made", x)


class Single:
    known = {}

    def __new__(cls, x):
        if x % 2 not in cls.known:
            cls.known[x % 2] = super().__new__(cls)
        return cls.known[x % 2]

    def __init__(self, x):
        self.x = square(x)


class Meta(type):
    def __call__(cls, *args):
        print("calls", cls.__name__)
        return super().__call__(*args)


class Watched(metaclass=Meta):
    def __init__(self, x):
        self.x = square(x)


@dataclass(order=True)
class Pair:
    left: int
    right: int = 1
    total: int = field(init=False, compare=False)

    def __post_init__(self):
        self.total = square(self.left) + square(self.right)
        if self.total == 50:
            raise LookupError(self)


@dataclass(frozen=True)
class Frozen:
    x: int

    def __post_init__(self):
        object.__setattr__(self, "x", square(self.x))


class Failing(Exception):
    def __init__(self, x):
        super().__init__(square(x))
        self.x = x


for n in range(6):
    with contextlib.suppress(LookupError):
        print(Base(n, n + 1, n + 2, scale=n).more, Pair(n).total, Pair(n, right=n), Frozen(n).x)
        print(Single(n).x, Watched(n).x, Base.count)
print([one.size for one in Base.made], Base(2) is Base(2), sorted(map(Pair, [3, 1, 2])))
for n in range(6):
    try:
        one = Fussy(n)
    except ValueError as error:
        print(error, len(Base.made))
    else:
        print(one.size, one.value)
for n in range(6):
    try:
        raise Failing(n)
    except Failing as error:
        print(error.args, error.x)

# what is called, and what a class does, changes on the way
make = Base
for n in range(9):
    one = make(n)
    print(type(one).__name__, getattr(one, "size", None), getattr(one, "total", None))
    if n == 2:
        make = Pair
    elif n == 4:
        make = Base
        Base.__init__ = lambda self, x: setattr(self, "size", square(x + 1))
    elif n == 6:
        Base.square = square
        Base.__init__ = lambda self, x: setattr(self, "total", work.square(x + 2))


class Node:
    def __init__(self, depth, x):
        self.x = square(x)
        self.children = [Node(depth - 1, x + i) for i in range(2)] if depth else []

    def sum(self):
        return self.x + sum(child.sum() for child in self.children)

    def __repr__(self):
        return f"Node({self.x}, {self.children})"


print(Node(3, 1).sum(), Node(2, 2))
Base.__init__(one, 5)
print(one.total, Fussy.__init__ is Base.__init__)
try:
    Fussy(1, 2)
except TypeError as error:
    print(error)
print([Fussy(n).value for n in range(5)])
