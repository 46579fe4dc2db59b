# Loops over what itertools gives, made by the program, whatever the Python.
# overlap: 3
# file: main.py
import itertools
from collections import OrderedDict, defaultdict, deque
from decimal import Decimal

from work import nap


def each(numbers):
    for x in numbers:
        print(nap(x))


for x in itertools.chain([1, 2], (3, 4)):
    print(nap(x))
for x in itertools.chain.from_iterable([[5], [6, 7, 8]]):
    print(nap(x))
for x in itertools.islice(itertools.count(9), 4):
    print(nap(x))
for x, y in itertools.product([1, 2], [3, 4]):
    print(nap(x, y))
for x, y in itertools.zip_longest([1, 2, 3], [5, 6], fillvalue=0):
    print(nap(x, y))
for x in itertools.compress(range(20, 26), [1, 0, 1, 1, 1]):
    print(nap(x))
for x in itertools.accumulate(range(30, 34)):
    print(nap(x))
for x, y in itertools.pairwise(range(40, 44)):
    print(nap(x, y))
for x, y in itertools.combinations([1, 5, 6, 7], 2):
    print(nap(x, y))
for n, x in enumerate(itertools.repeat(8, 4)):
    print(nap(n, x))
each(itertools.chain(deque([50, 51]), OrderedDict.fromkeys([52, 53])))
each(Decimal(n) for n in defaultdict(int, {60: 1, 61: 2, 62: 3}))
