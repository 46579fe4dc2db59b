# The program puts functions of its own into libraries, a class and builtins, by a helper, and they count.
# told: 2
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
# file: work.py
import json
import textwrap
from math import sqrt


def encoded(n):
    return json.dumps([n])


def wrapped(n):
    return textwrap.TextWrapper(width=10 + n).fill("some words to wrap " * 2)


def largest(n):
    return sqrt(max(n, 4))
# file: patches.py
import importlib

calls = []


def apply(module, *names):
    holder = importlib.import_module(module)
    for name in names[:-1]:
        holder = getattr(holder, name)
    before = getattr(holder, names[-1])

    def counting(*args, **kwargs):
        calls.append(names[-1])
        return before(*args, **kwargs)

    setattr(holder, names[-1], counting)
# file: main.py
import patches
import work

patches.apply("json", "dumps")
patches.apply("textwrap", "TextWrapper", "fill")
for n in range(4):
    print(work.encoded(n), len(patches.calls))
    print(work.wrapped(n), patches.calls)
patches.apply("builtins", "max")
for n in range(4):
    print(work.largest(n), patches.calls.count("max"))
