# any, all, next and in stop at the first answer; the values are as in plain Python.
# file: work.py
import time


def f(x):
    time.sleep(0.001)
    if x > 12:
        raise ValueError("too far")
    return x % 7
# file: main.py
from work import f

print(any(f(x) == 5 for x in range(100)))
print(all(f(x) < 6 for x in range(100)))
print(next(x for x in range(100) if f(x) == 6))
print(4 in (f(x) for x in range(100)))
first, *_ = [x for x in range(8) if f(x) > 2]
print(first)
g = (f(x) for x in range(10, 100))
print(next(g), next(g), next(g))
try:
    next(g)
except ValueError as error:
    print(error, list(g))
