# Whatever changes of what a function reads, however deep inside and by whatever way, is seen.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["show", "count", "label"]
# file: main.py
import bisect
import heapq
import random
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field


class Point:
    def __init__(self, x):
        self.x = x
        self.history = []

    def __repr__(self):
        return f"Point({self.x}, {self.history})"


class Slotted:
    __slots__ = ("a", "b")


@dataclass
class Record:
    n: int
    tags: list = field(default_factory=list)


@dataclass(frozen=True)
class Fixed:
    items: list


class Rates:
    standard = 2
    table = {"a": [1]}

    @classmethod
    def of(cls, n):
        return n * cls.standard + len(cls.table["a"])


numbers = [3, 1, 2]
nested = {"deep": [{"er": (1, [2, {3}])}]}
points = [Point(n) for n in range(3)]
slotted = Slotted()
slotted.a, slotted.b = 1, []
record = Record(1)
fixed = Fixed([])
raw = bytearray(b"abc")
values = array("d", [1.0, 2.0])
queue = deque([1, 2, 3])
ordered = OrderedDict(a=1, b=2)
groups = defaultdict(list)
tally = Counter("ab")
many = list(range(50_000))
table = {n: n for n in range(5_000)}
alias = nested["deep"][0]["er"][1]


def show(step):
    return (step, numbers, nested, points, (slotted.a, slotted.b), record, fixed, bytes(raw),
            list(values), list(queue), list(ordered), dict(groups), sorted(tally.items()))


def count(step):
    return step, sum(many), sum(table.values()), Rates.of(step)


def label(step):
    return f"{label.prefix}{step}{suffix(step)}"


def suffix(step, marks=["!"]):
    return marks[step % len(marks)]


label.prefix = "#"

changes = [
    lambda: numbers.sort(),
    lambda: heapq.heappush(numbers, 0),
    lambda: bisect.insort(numbers, 2.5),
    lambda: random.Random(3).shuffle(numbers),
    lambda: numbers.__setitem__(slice(1, 3), [True]),
    lambda: alias.append("through another name"),
    lambda: alias[1].add(4),
    lambda: nested["deep"][0].update(more=None),
    lambda: points[1].history.append(points[0]),
    lambda: setattr(points[0], "x", 1.0),
    lambda: vars(points[2]).update(x="by its dict"),
    lambda: setattr(slotted, "a", True),
    lambda: slotted.b.append(1),
    lambda: record.tags.extend("xy"),
    lambda: object.__setattr__(fixed, "items", [1]),
    lambda: raw.reverse(),
    lambda: memoryview(raw).__setitem__(0, 0),
    lambda: memoryview(values).__setitem__(1, -1.0),
    lambda: queue.rotate(1),
    lambda: ordered.move_to_end("a"),
    lambda: groups["new"],
    lambda: groups["new"].append(1),
    lambda: tally.update("abc"),
    lambda: many.__setitem__(40_000, -1),
    lambda: many.append(1),
    lambda: table.update({4_999: 0}),
    lambda: table.pop(0),
    lambda: setattr(Rates, "standard", 3),
    lambda: Rates.table["a"].append(2),
    lambda: setattr(Rates, "of", classmethod(lambda cls, n: -n)),
    lambda: suffix.__defaults__[0].append("?"),
    lambda: setattr(suffix, "__defaults__", (["."],)),
    lambda: setattr(label, "prefix", "//"),
    lambda: globals().update(numbers=[]),
    lambda: None,
]

for step, change in enumerate(changes):
    change()
    print(*show(step))
    print(count(step), label(step))
for step in range(3):
    many[step] = step + 10
    points[0].x += step
    print(count(step), show(step)[3])
