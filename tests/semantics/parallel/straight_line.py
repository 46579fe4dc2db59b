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
    g = work.nap(7)
    h = work.nap(8)
    i = work.nap(9)
    j = work.nap(10)
    k = work.nap(11)
    return a + b, c - d, e * f, g + h, i - j, k


print(run())
