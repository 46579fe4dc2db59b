# Objects of the program's classes are made, and their properties read, ahead of time.
# overlap: 4
# file: main.py
from dataclasses import dataclass, field
from typing import NamedTuple

import work


class Base:
    def __init__(self, n):
        self.n = n

    def weight(self):
        return self.n


class Job(Base):
    def __init__(self, n):
        super().__init__(n * 2)
        self.extra = 1

    @property
    def size(self):
        return self.weight() + self.extra

    @classmethod
    def parse(cls, text):
        return cls(int(text))


@dataclass
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)

    def __post_init__(self):
        self.y += self.x


class Pair(NamedTuple):
    a: int
    b: int


class Vector:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Vector(self.x + other.x)


position = Vector(0)
for text in ["1", "2", "3", "4", "5", "6"]:
    job = Job.parse(text)
    point = Point(job.size)
    pair = Pair(*[point.x, point.y])
    position = position + Vector(pair.b)
    print(work.nap(job.size), work.nap(position.x))
