# A cache stands before the function that makes the calls.
# overlap: 3
# file: main.py
import functools

from work import nap


@functools.lru_cache(maxsize=None)
def score(x):
    return nap(x)


@functools.cache
def other(x):
    return nap(x, 2) + 1


for i in range(24):
    print(score(i % 12), other(i // 2))
