# Lambdas, closures and inner functions are arguments: a scout passes what the program will.
# overlap: 4
# file: main.py
from dataclasses import dataclass
from typing import Any

import work

SCALE = 3


@dataclass
class Job:
    rule: Any
    rest: dict

    def __int__(self):
        return self.rule(len(self.rest)) + self.rest["more"](1)


def times(number):
    return lambda value: value * number


def between(low, high, *, step=1):
    def inside(value, also=(0,)):
        return low <= value < high + step or value in also

    return inside


def composed(first, second):
    def both(value):
        return second(first(value))

    return both


def direct():
    for i in range(8):
        print(work.nap_with(lambda value: value * 2, i))
    return [work.nap_with(lambda value, factor=i: value * factor, i) for i in range(8)]


for i in range(8):
    print(work.nap_with(times(i), i), work.nap_with(between(i, i + 2, step=2), 3 * i))
print(direct())
print([work.nap_of(Job(times(i), {"more": lambda value: value + SCALE})) for i in range(8)])
for i in range(8):
    print(work.nap_with(composed(times(i), lambda value: value + 1), i))
