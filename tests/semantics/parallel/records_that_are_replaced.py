# Named tuples and dataclasses with some fields replaced, made from rows, or taken apart.
# overlap: 4
# file: main.py
import dataclasses
from collections import namedtuple
from dataclasses import dataclass, replace
from typing import NamedTuple

from work import nap, nap_all, nap_of

Point = namedtuple("Point", "x y")


class Named(NamedTuple):
    x: int
    y: int = 0


@dataclass(frozen=True)
class Job:
    x: int
    y: int = 0

    def __int__(self):
        return self.x + self.y


@dataclass
class Doubled:
    x: int
    twice: int = dataclasses.field(init=False, default=0)

    def __post_init__(self):
        self.twice = 2 * self.x


point, job, doubled = Point(1, 2), Job(3), Doubled(1)
for number in range(10):
    moved = point._replace(y=number)
    print(moved, nap(moved.x, moved.y))
for row in [(number, -number) for number in range(10)]:
    named = Named._make(row)
    print(nap(named.x), nap(sum(named._asdict().values())))
for number in range(10):
    print(nap_of(replace(job, y=number)))
for number in range(10):
    doubled = dataclasses.replace(doubled, x=number)
    print(nap(doubled.x, doubled.twice), nap_all(dataclasses.astuple(doubled)))
