# Calls under conditions that the data at hand decide.
# file: work.py
import time


def heavy(x):
    time.sleep(0.001)
    return x**3


def light(x):
    return -x
# file: main.py
import work

for x in [1, -2, 3, 0, "5", None, 7]:
    if isinstance(x, str):
        r = work.heavy(int(x))
    elif x is None:
        print("nothing")
        continue
    elif x < 0:
        r = work.light(x)
    else:
        r = work.heavy(x) if x % 3 else work.light(x) or "zero"
    print(x, r)
