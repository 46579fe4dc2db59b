# A program that lets nothing it starts gain privileges finds its functions in the same, also by C alone.
# file: work.py
import os


def look(x):
    with open("/proc/self/status") as status:
        gains_none = [line.split()[1] for line in status if line.startswith("NoNewPrivs")]
    umask = os.umask(0)
    os.umask(umask)
    return x, gains_none, umask
# file: kept.py
import work

calls = []


def look(x):
    calls.append(x)
    return work.look(x)
# file: main.py
import ctypes

import kept
import work

print([work.look(i) for i in range(3)], kept.look(3))
library = ctypes.CDLL(None)
library.umask(0o27)
print([work.look(i) for i in range(3)], kept.look(3))
library.prctl(38, 1, 0, 0, 0)
library.umask(0o77)
print([work.look(i) for i in range(3)], kept.look(3))
for i in range(3):
    library.umask(i)
    print(work.look(i))
# file: cord.toml
[remote.work]
pure = true
replicas = 2
inline = false

[remote.kept]
