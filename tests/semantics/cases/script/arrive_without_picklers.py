# What travels by value is made again without the packages that take it apart: each replica would
# import them.
# told: 1
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["imported", "made"]
# file: main.py
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    def name(self):
        return type(self).__name__


@dataclass(order=True)
class Square(Shape):
    side: float
    tags: list = field(default_factory=list, compare=False)

    @cached_property
    def doubled(self):
        return Square(2 * self.side, [*self.tags, "doubled"])

    def area(self):
        return self.side * scale(self.side)

    @staticmethod
    def unit():
        return Square(1.0)


@lru_cache
def scale(side):
    return side * FACTORS["area"]


FACTORS = MappingProxyType({"area": 1})


def imported(value):
    return sorted({"cloudpickle", "logging", "uuid"} & set(sys.modules))


def made(square, function):
    return square.doubled, function(square), Square.unit() < square, square.name, square.area()


def times(number):
    return lambda square: square.area() * number


if __name__ == "__main__":
    for i in range(4):
        square = Square(float(i), ["from", "the", "script"])
        print(imported(i), imported(square), imported([square]))
        print(*made(square, times(i)))
