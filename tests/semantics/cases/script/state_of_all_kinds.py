# Impure functions of the main script change globals of all kinds: iterators, random state, slots.
# file: cord.toml
[remote.main]
# file: main.py
import collections
import itertools
import random
from dataclasses import dataclass, field


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self):
        self.left = 0


@dataclass
class Node:
    name: str
    children: list = field(default_factory=list)
    parent: "Node | None" = None


class Log(list):
    level = 0


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __getstate__(self):
        return {"cents": self.cents}

    def __setstate__(self, state):
        self.cents = state["cents"]


ids = itertools.count(5)
rng = random.Random(3)
slotted = Slotted()
root = Node("root")
log = Log()
queue = collections.deque([1], maxlen=3)
tallies = collections.Counter()
groups = collections.defaultdict(list)
purse, kept = Money(1), {}
seen = set()
raw = bytearray(b"ab")
held = (slotted, root, log, queue, tallies, groups, purse, seen, raw)


def next_id():
    return next(ids)


def roll():
    return rng.randint(1, 100)


def fill(side):
    setattr(slotted, side, 7)


def grow(name):
    child = Node(name, parent=root)
    root.children.append(child)
    return child


def everything(x):
    log.append(x)
    log.level += 1
    queue.append(x)
    tallies[x] += 1
    groups[x % 2].append(x)
    purse.cents *= 10
    kept[x] = purse
    seen.add(x)
    raw.extend(b"c")


def main():
    print([next_id() for _ in range(3)], next(ids), next_id())
    print([roll() for _ in range(3)], rng.randint(1, 100), roll())
    fill("left")
    fill("right")
    print(slotted.left, slotted.right)
    child = grow("a")
    grow("b")
    print([c.name for c in root.children], root.children[0].parent is root, child.name)
    for x in (3, 4, 3, 5):
        everything(x)
    print(log, log.level, queue, tallies, dict(groups), purse.cents, seen, raw)
    print({key: value is purse for key, value in kept.items()})
    now = (slotted, root, log, queue, tallies, groups, purse, seen, raw)
    print([a is b for a, b in zip(held, now, strict=True)])


main()
