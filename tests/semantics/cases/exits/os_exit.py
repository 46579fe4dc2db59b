# os._exit of the client: what was flushed is there, what was not is lost, the code is kept.
# file: work.py
def f(x):
    return x
# file: main.py
import atexit
import os
import sys

import work

atexit.register(print, "never")
for i in range(6):
    print(work.f(i))
sys.stdout.flush()
print("lost")
os._exit(9)
