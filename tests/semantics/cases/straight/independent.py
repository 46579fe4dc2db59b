# Straight-line code whose calls do not depend on each other.
# file: work.py
import time


def slow(name, wait):
    time.sleep(wait / 1000)
    return name.upper()
# file: main.py
import work

a = work.slow("a", 8)
b = work.slow("b", 1)
c = work.slow("c", 3)
print(a, b, c)
print(work.slow("d", 2), work.slow("e", 1), sep="/")
