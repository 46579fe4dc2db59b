# Few of many short calls write, in all ways there are; what they write stays with them.
# file: work.py
import ctypes
import os
import sys

libc = ctypes.CDLL(None)


def f(x):
    if x % 50 == 7:
        os.write(1, b"raw %d\n" % x)
    elif x % 50 == 8:
        os.write(2, b"\xff")
    elif x % 50 == 19:
        print("text", x)
    elif x % 50 == 20:
        sys.stdout.write("")
    elif x % 50 == 31:
        libc.dprintf(2, b"by C %d\n", x)
    elif x % 50 == 32:
        libc.printf(b"held back by C %d\n", x)
    elif x % 50 == 44:
        os.write(1, b"first\n")
        print("then", x, flush=True)
        os.write(1, b"last\n")
    return x


def by_name(x):
    if x == 40:
        with open("/dev/stdout", "a") as again:
            again.write("by its name\n")
    return x


# file: main.py
import work

total = 0
for i in range(300):
    total += work.f(i)
    if i % 50 in (6, 7, 8, 19, 20, 31, 32, 43, 44):
        print("client", i, flush=True)
for i in range(80):
    total += work.by_name(i)
    if 38 <= i <= 42:
        print("client", i, flush=True)
print(total, flush=True)
