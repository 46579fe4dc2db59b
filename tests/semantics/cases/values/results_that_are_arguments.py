# What a pure function returns of its arguments is the program's own object, not a copy.
# file: work.py
import collections
from dataclasses import dataclass, field


@dataclass
class Item:
    name: str
    score: float = 0.0
    tags: list = field(default_factory=list)


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x, self.y = x, None


class Odd:
    def __init__(self, n):
        self.n, self.cache = n, {}

    def __getstate__(self):
        return {"n": self.n}

    def __setstate__(self, state):
        self.n, self.cache = state["n"], {}


class Bad(Exception):
    def __init__(self, item):
        super().__init__(item)
        self.item = item


def keep(x):
    return x


def grade(item):
    return {"item": item, "score": len(item.name)}


def pair(item):
    return item, len(item.name)


def best(items):
    return max(items, key=lambda item: len(item.name))


def ordered(items):
    return sorted(items, key=lambda item: item.name)


def grouped(items):
    groups = collections.defaultdict(list)
    for item in items:
        groups[len(item.name)].append(item)
    return groups


def nested(table):
    return [table["a"]["b"], table["a"]]


def both(a, b):
    return [a, b, a]


def either(a, b=None):
    return b if b is not None else a


def tags(item):
    return item.tags


def walk(items):
    return iter(items)


def fail(item):
    raise Bad(item)


# file: main.py
import collections

import work
from work import Item

items = [Item(name) for name in ("a", "bbb", "cc")]
graded = [work.grade(item) for item in items]
for one in graded:
    one["item"].score = one["score"]
print(items, [one["item"] is item for one, item in zip(graded, items)])

for item, length in [work.pair(item) for item in items]:
    item.tags.append(length)
print(items)

found = work.best(items)
found.name = "zzzz"
print(items, found is items[1])

names = work.ordered(items)
names[0].score = -1
names.append(None)
print(items)
work.grouped(items)[1][0].score = 123
print(items)

kept = [[1], {"a": 1}, {1}, bytearray(b"x"), collections.deque([1]), collections.Counter("ab")]
kept += [(1, [2]), work.Slotted(3), work.Odd(4), work.Item, len, None, items]
for value in kept:
    print(type(value).__name__, work.keep(value) is value)
same = (1, [2])
work.keep(same)[1].append(3)
print(same)

work.tags(items[0]).append("new")
print(items[0])
table = {"a": {"b": [1], "c": 2}}
inside = work.nested(table)
inside[0].append(2)
inside[1]["c"] = 3
print(table)
x, y = [1], [2]
three = work.both(x, y)
three[0].append(5)
print(x, y, three[2] is x, work.either(x) is x, work.either(x, b=y) is y)

numbers = [1, 2, 3]
walked = work.walk(numbers)
numbers.append(4)
print(list(walked))

for item in items * 5:
    got = work.grade(item)
    got["item"].tags.append(got["score"])
print(items)
known = {id(work.keep(item)): item.name for item in items}
print([id(item) in known for item in items])

try:
    work.fail(items[0])
except work.Bad as error:
    error.item.score = 99
    print(items[0], error.item is items[0], error.args[0] is items[0])
