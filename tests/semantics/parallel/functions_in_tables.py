# Functions in dicts, lists, attributes and loop variables are called.
# overlap: 3
# file: main.py
from functools import partial

from work import nap


def helper(x):
    return nap(x, 1)


class Runner:
    def __init__(self, function):
        self.function = function

    def run(self, xs):
        return [self.function(x) for x in xs]


table = {"a": nap, "b": helper, "c": abs, "d": partial(nap, y=4)}
for i in range(16):
    print(table["abcd"[i % 4]](i))
for i in range(4):
    for function in (nap, helper):
        print(function(i))
print(Runner(nap).run(range(8)), Runner(helper).run(range(8)))
double = partial(nap, y=2)
print([double(i) for i in range(8)])
