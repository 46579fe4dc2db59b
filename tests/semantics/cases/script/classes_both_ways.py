# Objects of the main script's classes go out and come back as the program's own, in containers too.
# file: work.py
def total(p):
    return p.x + p.y


def mirrored(points):
    return [type(p)(p.y, p.x) for p in points]


def same(value):
    return value


def grouped(points):
    groups = {}
    for p in points:
        groups.setdefault(p.x % 2, []).append(p)
    return groups
# file: main.py
import enum
import pickle
from collections import namedtuple
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import work


@dataclass(order=True)
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)


@dataclass(frozen=True)
class Key:
    name: str


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    @property
    def warm(self):
        return self is Color.RED


class Mode(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Pair(NamedTuple):
    a: int
    b: str = "z"


Old = namedtuple("Old", "u v")


class Tree:
    __slots__ = ("children", "name")

    def __init__(self, name, *children):
        self.name, self.children = name, children


points = [Point(i, i * i % 5) for i in range(4)]
print([work.total(p) for p in points])
back = work.mirrored(points)
print(back, {type(p) is Point for p in back}, sorted(back))
print([f.name for f in fields(back[0])], replace(back[1], x=9))
groups = work.grouped(points)
print(groups, isinstance(groups[0][0], Point))
color, mode, pair, old = work.same([Color.BLUE, Mode.READ | Mode.WRITE, Pair(1), Old(2, 3)])
print(color is Color.BLUE, color.warm, mode, Mode.READ in mode, pair, type(pair) is Pair, old.u)
print(work.same({Key("a"): 1})[Key("a")])
tree = work.same(Tree("root", Tree("leaf")))
print(tree.name, [type(child) is Tree for child in tree.children])
print(pickle.loads(pickle.dumps(back)) == back, work.same(Point) is Point)
twice = work.same((points[0], points[0]))
print(twice[0] is twice[1], twice[0] == points[0])
