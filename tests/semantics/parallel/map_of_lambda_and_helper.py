# A lambda, a helper, a method and a partial are mapped.
# overlap: 3
# file: main.py
from functools import partial

from work import nap


def helper(x):
    return nap(x + 1) * 2


class Box:
    def __init__(self, k):
        self.k = k

    def score(self, x):
        return nap(x, self.k)

    def scores(self, xs):
        return list(map(self.score, xs))


def main(k):
    return [value + k for value in map(lambda x: nap(x, k) + 1, range(9))]


print(main(3), list(map(helper, range(9))), Box(4).scores(range(9)))
print(sum(map(partial(nap, y=3), range(9))), list(map(Box(1).score, range(9))))
