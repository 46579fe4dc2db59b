# What remote functions print appears between the client's own lines, in order.
# file: work.py
import sys
import time


def f(x):
    print("remote", x)
    time.sleep((5 - x) % 5 / 1000)
    print("still", x, end="|")
    if x == 2:
        sys.stdout.write("written\n")
    return x
# file: main.py
import work

for i in range(5):
    print("client", i)
    r = work.f(i)
    print("client got", r)
print([work.f(i) for i in range(4)])
print(work.f(1), work.f(2))
