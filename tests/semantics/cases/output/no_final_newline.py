# Odd output: no newline at the end, carriage returns, unicode, an empty print, bytes below text.
# file: work.py
import sys


def f(x):
    print("é✓\r", x, end="")
    print(end="")
    return x
# file: main.py
import sys

import work

for i in range(3):
    work.f(i)
sys.stdout.flush()
sys.stdout.buffer.write(b"\xff\x00raw")
sys.stdout.buffer.flush()
print(work.f(4), end="")
