# Code of the module itself: functions that read the variable, and what is left of it.
# file: work.py
import time


def step(x):
    time.sleep(0.003)
    if x > 40:
        raise OverflowError(x)
    return x + 1
# file: main.py
import atexit

import work

r = 0
seen = []


def reads_it(n):
    return sum(range(n)) + r


def reads_nothing(n):
    return sum(range(n))


def at_exit():
    print("at exit", r, y, seen, "z" in globals())


atexit.register(at_exit)
for turn in range(4):
    r = work.step(turn)
    y = reads_nothing(100)
    seen.append(y + turn)
    y = reads_it(100)
    print(r, y, seen)
try:
    r = work.step(50)
    y = reads_nothing(2000)
    seen.append(y)
except OverflowError as error:
    print("caught", error, r, y, seen)
print(sorted(name for name in globals() if not name.startswith("__")))
y = "unchanged"
r = work.step(60)
z = y = reads_nothing(3000)
seen.append(z)
