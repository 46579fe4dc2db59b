# A `match` over dataclasses and other classes of the program, in a function and in a loop.
# overlap: 4
# file: main.py
from dataclasses import dataclass

import work


@dataclass
class Add:
    n: int


@dataclass
class Mul:
    n: int
    k: int
    inner: object = None


class Odd:
    def __init__(self, v):
        self.v = v

    @property
    def twice(self):
        return self.v * 2


def run(command):
    match command:
        case Add(0) | Mul(k=0):
            return work.nap(100)
        case Add(n) if n > 2:
            return work.nap(n)
        case Mul(n, 1, Add(n=x)):
            return work.nap(n + x)
        case Mul(n=n, k=k):
            return work.nap(n * k)
        case Odd(twice=t):
            return work.nap(t)
        case int(number):
            return work.nap(number)
        case _:
            return work.nap(99)


commands = [Add(3), Mul(1, 0), Mul(2, 5), Mul(1, 1, Add(7)), Odd(2), Add(0), 5, None, Odd(3), Add(1)]
for command in commands:
    print(run(command))
