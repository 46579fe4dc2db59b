# A function imports modules of the project by names that are made, and keeps them.
# told: 1
# file: plug_one.py
print("one is loaded")
COUNT = 0


def run(x):
    global COUNT
    COUNT += 1
    return COUNT, x
# file: plug_two.py
def run(x):
    return x * 10
# file: work.py
import importlib
import time

PLUGINS = {}


def f(name, x):
    time.sleep(0.002)
    if name not in PLUGINS:
        PLUGINS[name] = importlib.import_module("plug_" + name)
    return PLUGINS[name].run(x)
# file: main.py
import sys

import work

print([work.f(name, x) for x, name in enumerate(["one", "two", "one", "two"])])
print(sorted(work.PLUGINS), "plug_one" in sys.modules)
