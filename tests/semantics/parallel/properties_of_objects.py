# Properties of the program's objects make the calls, kept ones too; subclasses override them.
# overlap: 4
# file: main.py
import functools
from dataclasses import dataclass
from functools import cached_property

import work


@dataclass
class Point:
    x: int

    @property
    def score(self):
        return work.nap(self.x)

    @property
    def rank(self):
        return self.score + 1


class Better(Point):
    @property
    def score(self):
        return super().score * 2 + work.nap(self.x, 5)


class Kept:
    def __init__(self, x):
        self.x = x
        self.made = False

    @cached_property
    def score(self):
        return work.nap(self.x, 3)

    @functools.cached_property
    def both(self):
        return self.score + work.nap(self.x, 7)


points = [Point(n) for n in range(8)]
for point in points:
    print(point.x, point.score)
for point in map(Better, range(8)):
    print(f"{point.rank=}", point.score)
print([point.score for point in points if point.x % 2], sum(point.rank for point in points))
kept = [Kept(n) for n in range(8)]
for one in kept:
    print(one.score, one.score, work.nap(one.both))
for one in kept:
    print(one.both, vars(one))


def best(points):
    highest = None
    for point in points:
        if highest is None or point.score > highest.score:
            highest = point
    return highest.x


print(best(points), best(kept), max(points, key=lambda point: point.score).x)
