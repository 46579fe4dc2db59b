# sys.exit in the middle of a loop of calls, with a message.
# file: work.py
def f(x):
    return x
# file: main.py
import sys

import work

for i in range(10):
    v = work.f(i)
    print(v)
    if v == 4:
        sys.exit(f"stopped at {v}")
