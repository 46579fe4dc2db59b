# Enumerations are asked for members by value and by name, and partials are passed.
# overlap: 4
# file: main.py
import enum
import functools
import math

import work


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 4


class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


for i in range(8):
    color = Color(1 + i % 2)
    print(work.nap(color.value, y=Level(3 + i % 2)), color)
for word in ["fast", "slow"] * 4:
    print(work.nap(len(Mode(word)), y=len(Mode[word.upper()].value)))
for i in range(8):
    print(work.nap_with(functools.partial(math.pow, 2), i))
for i in range(8):
    print(work.nap_with(int.bit_length, i))
try:
    for i in range(8):
        print(work.nap(Color(3 - i).value))
except ValueError as error:
    print(error)
