# A reduction in floating point keeps its order, whichever replica answers first.
# file: work.py
import time


def term(k):
    time.sleep((k * 3 % 4) / 1000)
    return (-1.0) ** k / (2 * k + 1) * 10.0 ** (k % 17 - 8)
# file: main.py
from work import term


def series(n):
    total = 0.0
    for k in range(n):
        total = total + term(k)
    return total


print(repr(series(60)))
backwards = 0.0
for k in reversed(range(60)):
    backwards += term(k)
print(repr(backwards))
