# A star import brings the public remote functions, constants and classes.
# file: work.py
__all__ = ["LIMIT", "Pair", "f", "_hidden"]
LIMIT = 4


class Pair(tuple):
    pass


def f(x):
    return Pair((x, x * LIMIT))


def _hidden(x):
    return -x


def g(x):
    return x
# file: main.py
from work import *

print([f(i) for i in range(LIMIT)], type(f(1)) is Pair, _hidden(5))
print("g" in globals())
