# Every way to import a remote function reaches the same one.
# file: work.py
def f(x):
    return ("f", x)


def g(x):
    return ("g", x)
# file: pkg/__init__.py
# file: pkg/m.py
def f(x):
    return ("pkg f", x)
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote."pkg.m"]
replicas = 2
pure = true
# file: main.py
import importlib

import pkg.m
import pkg.m as n
import work as w
from pkg import m
from pkg.m import f as pf
from work import f as g
from work import g as f

print(f(1), g(2), w.f(3), pkg.m.f(4), n.f(5), m.f(6), pf(7))
print([f(i) for i in range(3)], [pf(i) for i in range(3)])
for i in range(3):
    print(pkg.m.f(i), w.g(i))
late = importlib.import_module("work")
print(late.f(8), getattr(late, "g")(9), __import__("pkg.m").m.f(10), late is w, pkg.m is n is m)
