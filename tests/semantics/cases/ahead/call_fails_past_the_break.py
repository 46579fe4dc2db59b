# Calls past the break raise, exit, print or kill their replica: none of it shows.
# file: work.py
import os
import sys


def f(x):
    if x < 5:
        return x
    print("must not be seen", x, flush=True)
    if x == 5:
        raise ValueError(x)
    if x == 6:
        sys.exit(x)
    os._exit(x)
# file: main.py
import work


def first(limit):
    for x in range(100):
        value = work.f(x)
        print(value)
        if value >= limit:
            return value


print(first(4), first(3))
print(next(v for v in map(work.f, range(50)) if v == 4))
print([work.f(x) for x in range(5)])
