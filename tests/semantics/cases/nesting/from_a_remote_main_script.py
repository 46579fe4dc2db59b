# Functions of the main script run in replicas, and call other remote modules from there.
# file: cord.toml
[remote.main]
replicas = 1
callstyle = "async"
only = ["big", "store"]

[remote.inner]
replicas = 1

[remote.outer]
replicas = 1
# file: inner.py
import os
kept = []
def keep(p):
    kept.append(p)
    return len(kept)
def same(p):
    return [type(k) is type(p) for k in kept], kept
def pid():
    return os.getpid()
# file: outer.py
import inner
def same(p):
    return inner.same(p)
def keep(p):
    return inner.keep(p)
# file: main.py
import os
import inner
from inner import keep as note
import outer

total = 0

class Point:
    def __init__(self, x): self.x = x
    def __repr__(self): return f"P{self.x}"

def big(p):
    return inner.same(p)[0], inner.pid() == os.getpid()

def store(p):
    global total
    total += 1
    return note(p), total

print(inner.keep(Point(1)))
print(outer.keep(Point(2)))
print(outer.same(Point(3)), inner.same(Point(3)))
for i in range(3):
    print(store(Point(10 + i)), total)
print(big(Point(4))[0])
print(inner.same(Point(3)), total)
