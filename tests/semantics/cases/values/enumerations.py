# Enumerations: walked, called, with properties, in sums.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from enum import Enum, IntEnum, Flag, auto
from work import f
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    @property
    def twice(self): return self.value * 2
class Level(IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3
for c in Color:
    print(c.name, f(c.value))
for c in Color:
    print(c.name, f(c.twice))
for l in Level:
    print(f(l))
for l in Level:
    print(f(l + 1))
for name in ("RED", "GREEN", "BLUE", "RED"):
    print(f(len(name)), f(Level(2)))
