# What lies in sets, closures, arrays of objects, exceptions, cycles and methods of arguments is the program's own.
# told: 3
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
def pick(a, i):
    return a[i]


def call(f, *rest):
    return f(*rest)


def keep(x):
    return x


def first(s):
    return next(iter(s))


def of(e):
    return e.args[0]
# file: main.py
import numpy as np, work, functools
a = np.empty(2, dtype=object)
a[0] = [1]; a[1] = {"k": 1}
got = work.pick(a, 0); got.append(2); print(a[0], got is a[0])
f = lambda: 1
def make():
    held = []
    def g(x): return held
    return g, held
g, held = make()
got = work.call(g, 1); got.append(3); print(held)
print(work.keep(f) is f, work.keep(g) is g, work.keep(len) is len)
class T:
    def __init__(self): self.l = []
t = T()
print(work.first({t}) is t)
e = ValueError([1])
print(work.of(e) is e.args[0], work.keep(e) is e)
p = functools.partial(print, [1])
print(work.keep(p) is p, work.pick([p, 1], 0) is p)
cyc = []; cyc.append(cyc)
print(work.keep(cyc) is cyc, work.pick(cyc, 0) is cyc)
d = {}; d["me"] = d
print(work.keep([d])[0] is d)
m = t.l.append
work.keep(m)(4); print(t.l)
