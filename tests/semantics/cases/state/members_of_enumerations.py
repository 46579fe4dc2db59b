# What the program changes in members of enumerations reaches calls.
# file: work.py
import enum


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


class Flag(enum.Flag):
    A = 1
    B = 2


Color.RED.hits = 0
Flag.A.seen = []


def hits():
    return Color.RED.hits, getattr(Color.BLUE, "new", None), Flag.A.seen, (Flag.A | Flag.B).value


def of(member):
    return getattr(member, "hits", None)
# file: main.py
import enum
import work


class Own(enum.Enum):
    ONE = 1


def ask(i):
    return work.of(Own.ONE)


for i in range(3):
    print(work.hits(), work.of(work.Color.RED), ask(i))
    work.Color.RED.hits += 1
    work.Color.BLUE.new = i
    work.Flag.A.seen.append(i)
    Own.ONE.hits = i
del work.Color.BLUE.new, Own.ONE.hits
print(work.hits(), ask(3))
