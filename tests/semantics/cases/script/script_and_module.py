# The main script and another module are both remote; values of both go through both.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["shifted"]

[remote.work]
replicas = 2
callstyle = "async"
pure = true
# file: work.py
class Box:
    def __init__(self, value):
        self.value = value


def packed(item):
    return Box(item)


def unpacked(box):
    return box.value
# file: main.py
from dataclasses import dataclass

import work
from work import packed


@dataclass
class Item:
    n: int


def shifted(box, by=1):
    return work.Box(Item(box.value.n + by))


items = [Item(n) for n in range(5)]
boxes = [packed(item) for item in items]
print([type(box) is work.Box for box in boxes], [box.value for box in boxes])
moved = [shifted(box) for box in boxes]
print([work.unpacked(box) for box in moved])
for item in items:
    print(work.unpacked(shifted(packed(item), by=10)))
