# Collections find what the program has left, and nothing of Cord's; at the end all of it is found.
# file: work.py
def double(x):
    return 2 * x
# file: main.py
import gc

import work


class Loud:
    def __init__(self, name):
        self.name = name
        self.itself = self

    def __del__(self):
        print("gone", self.name)


class Holder:
    held = Loud("of a class")


def held(default=Loud("of a function")):
    return default


print(gc.collect(), gc.isenabled())
ring = []
ring.append(ring)
del ring
print(gc.collect(), [work.double(x) for x in range(3)])
kept = Loud("of the program")
print([line for line in open("/proc/self/status") if line.startswith("THP_enabled")])
# file: cord.toml
[remote.work]
pure = true
