# Attributes that the program sets on texts, numbers, partials and thread-locals of a module reach calls.
# file: work.py
import functools
import threading


class Name(str):
    pass


class Count(int):
    pass


NAME = Name("q")
NAME.n = 0
COUNT = Count(3)
POWER = functools.partial(pow, 2)
POWER.n = []
LOCAL = threading.local()
LOCAL.n = 0


def name():
    return NAME.n, getattr(NAME, "more", None)


def count():
    return COUNT, getattr(COUNT, "seen", None)


def power():
    return POWER(3), POWER.n


def local():
    return LOCAL.n
# file: main.py
import work

for n in range(3):
    print(work.name(), work.count(), work.power(), work.local())
    work.NAME.n += 1
    work.COUNT.seen = n
    work.POWER.n.append(n)
    work.LOCAL.n += 1
    work.NAME.more = n
del work.NAME.more
print(work.name())
