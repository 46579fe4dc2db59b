# Limits of the interpreter are in a replica what they are in the program when it makes the call.
# file: work.py
import sys


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def look(_):
    limits = sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()
    try:
        return limits, deep(400), len(str(10**700))
    except (RecursionError, ValueError) as exc:
        return limits, type(exc).__name__
# file: main.py
import sys

import work

first = sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()
print([work.look(i)[1:] for i in range(3)])
sys.setrecursionlimit(300)
print([work.look(i) for i in range(3)])
sys.setrecursionlimit(2000)
sys.set_int_max_str_digits(640)
for i in range(6):
    if i == 3:
        sys.setswitchinterval(0.25)
    print(work.look(i))
sys.setrecursionlimit(first[0])
sys.set_int_max_str_digits(first[1])
sys.setswitchinterval(first[2])
print([work.look(i)[1:] for i in range(3)], work.look(9)[0] == first)
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
