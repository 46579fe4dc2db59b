# What map, filter, sorted, reduce and starmap say of wrong arguments.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from functools import reduce
from itertools import starmap

from work import nap, picky


def helper(x):
    return nap(x)


class Odd:
    def __iter__(self):
        print("iter")
        return iter([1, 2])


def attempt(act):
    try:
        print(act())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: map(nap))
attempt(lambda: map(nap, 5))
attempt(lambda: list(map(5, [1])))
attempt(lambda: list(map(helper, [1], [2])))
attempt(lambda: list(map(lambda: nap(1), [1])))
attempt(lambda: list(filter(helper, 7)))
attempt(lambda: sorted([3, 1], key=5))
attempt(lambda: sorted([3, 1], key=None))
attempt(lambda: sorted([3, 1, 2], key=picky))
attempt(lambda: max([], key=nap))
attempt(lambda: max([], key=nap, default="none"))
attempt(lambda: min(3, key=nap))
attempt(lambda: reduce(lambda a, x: a + nap(x), []))
attempt(lambda: reduce(lambda a, x: a + nap(x), [5, 1, 2]))
attempt(lambda: list(starmap(nap, [(1, 2), 3])))
attempt(lambda: list(map(nap, Odd(), Odd())))
attempt(lambda: [nap(x) for x in map(int, ["1", "x"])])
attempt(lambda: list(map(nap, range(3), range(2))))
