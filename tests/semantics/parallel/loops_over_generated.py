# Loops over a generator expression, a filter of truth, what is taken while it may be.
# overlap: 3
# file: main.py
import itertools

from work import nap

for x in (i * 2 for i in range(16) if i % 3):
    print(nap(x))
for x in filter(None, [0, 1, 2, 0, 3, 4, 5]):
    print(nap(x))
for x in itertools.takewhile(lambda i: i < 12, itertools.count()):
    print(nap(x))
for x in itertools.filterfalse(lambda i: i % 2, range(16)):
    print(nap(x))
