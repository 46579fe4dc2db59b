# An impure module keeps functions and objects of the main script, and uses them in later calls.
# file: work.py
kept = []
handlers = []


def subscribe(handler):
    handlers.append(handler)
    return len(handlers)


def unsubscribe(handler):
    handlers.remove(handler)
    return len(handlers)


def fire(x):
    return [handler(x) for handler in handlers]


def add(item):
    kept.append(item)
    return kept.index(item)


def total():
    return sum(item.price() for item in kept)
# file: cord.toml
[remote.work]
# file: main.py
from dataclasses import dataclass

import work

hits = []
RATE = 2


@dataclass
class Item:
    cost: int

    def price(self):
        return self.cost * RATE


def plus(x):
    return x + RATE


def note(x):
    hits.append(x)
    return x * 2


print(work.subscribe(plus), work.subscribe(note), work.fire(5), hits)
print(work.unsubscribe(plus), work.fire(6), hits)
print(work.add(Item(3)), work.add(Item(4)), work.total())
RATE = 10
print(work.total(), work.add(Item(4)), work.subscribe(plus), work.fire(1), hits)
hits.clear()
print(work.fire(2), hits)
