# Names of classes, and `isinstance` with abstract classes, unions and enumerations.
# overlap: 3
# file: main.py
import enum
from abc import ABC, abstractmethod
from collections.abc import Sized

import work


class Shape(ABC):
    @abstractmethod
    def size(self): ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def size(self):
        return self.side**2


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


def told(thing):
    name = type(thing).__name__
    if isinstance(thing, Shape):
        return work.nap(thing.size(), len(name))
    if isinstance(thing, Level | int):
        return work.nap(len(name))
    return work.nap(isinstance(thing, Sized), len(type(thing).__mro__))


for i in range(10):
    for thing in (Square(i), i, Level.HIGH, "text"):
        print(type(thing).__qualname__, told(thing))
