# A pure function that clears a cache, reads how far shared random numbers are, or changes a member of an enumeration.
# told: 4
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import enum
import functools
import random

asked = []


class Color(enum.Enum):
    RED = 1


Color.RED.hits = 0


@functools.cache
def square(x):
    asked.append(x)
    return x * x


def forget():
    square.cache_clear()
    return 0


def peek():
    before = random.getstate()
    value = random.random()
    random.setstate(before)
    return round(value, 4)


def hit(color):
    color.hits += 1
    return color.hits
# file: main.py
import random

import work

random.seed(1)
color = work.Color.RED
for i in range(4):
    print(work.square(2), work.square(3), work.forget(), work.peek())
    print(work.hit(color), color.hits, work.asked)
    random.random()
