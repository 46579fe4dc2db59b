# Pure functions that change settings, the environment, the path, and seeds of random numbers.
# told: 4
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import os, random, sys
def name(x): os.environ["NAME"] = str(x); return x
def deep(x): sys.setrecursionlimit(2000 + x); return x
def path(x): sys.path.append(f"/nowhere/{x}"); return x
def seed(x): random.seed(x); return x
def kept(x):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(5000)
    sys.setrecursionlimit(before)
    return x
# file: main.py
import os, random, sys
import work
print([work.name(i) for i in range(4)], os.environ["NAME"])
print([work.deep(i) for i in range(4)], sys.getrecursionlimit())
print([work.path(i) for i in range(4)], sys.path[-4:])
print([work.seed(i) for i in range(4)], random.random())
print([work.kept(i) for i in range(4)], sys.getrecursionlimit())
