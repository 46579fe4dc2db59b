# sys.exit in a remote function ends the program at its turn, after finally blocks and handlers.
# file: work.py
import sys


def f(x):
    if x == 3:
        sys.exit("remote says stop")
    return x
# file: main.py
import atexit

import work

atexit.register(print, "at exit")
try:
    for i in range(8):
        print(work.f(i))
finally:
    print("finally")
