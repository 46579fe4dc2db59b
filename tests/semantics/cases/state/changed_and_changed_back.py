# State is changed between calls of one function, and is again what it was when another one comes to it.
# file: work.py
import time

TABLE = []
OTHER = {}


def f(x):
    time.sleep(0.002)
    return list(TABLE), x


def g(x):
    time.sleep(0.002)
    return dict(OTHER), x
# file: main.py
import work

print(work.f(1), work.g(1))
for n in range(3):
    work.TABLE.append(n)
    work.OTHER[n] = n
    print(work.g(n))
    work.TABLE.clear()
    print(work.f(n))
