# Output written to the descriptor itself by a remote function, as C code does.
# file: work.py
import os
import sys


def f(x):
    sys.stdout.flush()
    os.write(1, b"raw %d\n" % x)
    os.write(2, b"raw err %d\n" % x)
    return x
# file: main.py
import sys

import work

for i in range(4):
    print("client", i, flush=True)
    work.f(i)
print("end", work.f(7))
