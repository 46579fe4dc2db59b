# Dataclasses, enums, named tuples and slots of the remote module travel both ways.
# file: work.py
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum

Span = namedtuple("Span", "start stop")


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True, order=True)
class Item:
    name: str
    tags: tuple = ()
    color: Color = Color.RED


@dataclass(slots=True)
class Bag:
    items: list[Item] = field(default_factory=list)
    span: Span = Span(0, 0)


def tag(item, text):
    return replace(item, tags=(*item.tags, text), color=Color(len(item.tags) % 2 + 1))


def pack(*items):
    return Bag(sorted(items), Span(0, len(items)))
# file: main.py
import work
from work import Bag, Color, Item, Span

items = [Item(n) for n in ("pen", "cup", "hat")]
for turn in range(3):
    items = [work.tag(item, turn) for item in items]
    bag = work.pack(*items)
    print(bag, bag.span == Span(0, 3), bag.items[0].color is Color.RED, type(bag) is Bag)
    bag.items.clear()
print(items, {items[0]: 1} == {work.tag(Item("pen", (0, 1)), 2): 1})
