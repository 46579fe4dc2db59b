# functools.reduce and itertools.starmap make the calls.
# overlap: 3
# file: main.py
import functools
from itertools import starmap

from work import nap

print(functools.reduce(lambda total, x: total + nap(x), range(10), 0))
print(list(starmap(nap, [(i, i + 1) for i in range(10)])))
print(list(starmap(lambda a, b: nap(a) - b, enumerate(range(10)))))
