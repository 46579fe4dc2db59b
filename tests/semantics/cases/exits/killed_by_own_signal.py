# A program that ends itself with a signal dies by that signal.
# file: work.py
def f(x):
    return x
# file: main.py
import os
import signal
import sys

import work

print([work.f(i) for i in range(5)])
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGTERM)
print(work.f(1))
