# A scout cannot tell how an endless loop ends: what it guesses of it costs the program no minutes.
# file: work.py
class Point:
    def __init__(self, x):
        self.x = x

    def size(self):
        return abs(self.x)


def f(x):
    return (x * 7 + 3) % 11


def make(x):
    return Point(x)
# file: main.py
import random

import work

rng = random.Random(7)


class Mark:
    def __init__(self, x):
        self.x = x

    def __gt__(self, other):
        return work.f(self.x) < other


turns = 0
while turns < 30 and work.make(2).size():
    turns += 1
    while True:
        if turns > 1 or rng.random() < 0.5:
            break
    print(turns, work.f(turns))
