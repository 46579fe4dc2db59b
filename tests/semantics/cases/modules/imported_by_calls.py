# A module that calls import is imported once for the program: it prints once, and is in sys.modules.
# told: 2
# file: cord.toml
[remote.work]
inline = false

[remote.pure]
pure = true
replicas = 2
inline = false
# file: work.py
import importlib


def total(x):
    import heavy

    return heavy.double(x)


def call(name, x):
    return importlib.import_module("plug_" + name).go(x)
# file: pure.py
import importlib


def call(name, x):
    return importlib.import_module("plug_" + name).go(x)


def later(x):
    import late

    return late.go(x)
# file: heavy.py
print("loading heavy")


def double(x):
    return 2 * x
# file: plug_a.py
print("import a")


def go(x):
    return x + 1
# file: plug_b.py
calls = []


def go(x):
    return x * 2
# file: plug_c.py
print("import c")


def go(x):
    return x - 1
# file: late.py
print("late")


def go(x):
    return x
# file: main.py
import sys

import pure
import work

print(work.total(1))
print(work.total(2))
import heavy

print(heavy.double(3))
for name in "abab":
    print(pure.call(name, 5))
print(sorted(name for name in sys.modules if name.startswith("plug_")))
import plug_a

print(plug_a.go(1), pure.later(1))
import late

print(late.go(2), work.call("c", 2), work.call("c", 3), "plug_c" in sys.modules)
import plug_c
