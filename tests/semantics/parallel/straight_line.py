# Calls in straight-line code that do not need each other.
# overlap: 3
# file: main.py
import work


def run():
    a = work.nap(1)
    b = work.nap(2)
    c = work.nap(3)
    d = work.nap(4)
    e = work.nap(5)
    f = work.nap(6)
    return a + b, c - d, e * f


print(run())
