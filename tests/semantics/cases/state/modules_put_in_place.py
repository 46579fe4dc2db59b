# The program puts modules into `sys.modules`, and takes some away; functions import inside.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false

[remote.plain]
inline = false
# file: work.py
import sys


def backend(x):
    try:
        import fastlib

        return fastlib.go(x)
    except ImportError:
        return "slow", x


def loaded():
    return "colorsys" in sys.modules
# file: plain.py
import importlib


def text(x):
    return importlib.import_module("json").dumps(x)


def late(x):
    from helper import value

    return value + x
# file: helper.py
value = 3
# file: main.py
import sys
import types
from unittest import mock

import plain
import work

print(work.backend(1), plain.text(1), work.loaded())
fast = types.ModuleType("fastlib")
fast.go = lambda x: ("fast", x)
with mock.patch.dict("sys.modules", {"fastlib": fast, "colorsys": fast}):
    print([work.backend(i) for i in range(3)], work.loaded())
with mock.patch.dict(sys.modules, {"json": None}):
    try:
        print(plain.text(1))
    except ImportError as error:
        print(type(error).__name__)
print([work.backend(i) for i in range(2)], plain.text(2), work.loaded())
print(plain.late(1))
sys.modules["helper"].value = 10
print(plain.late(1))
del sys.modules["helper"]
print(plain.late(1))
