# The program puts functions of its own into libraries, a class and builtins, by a helper, and they count.
# told: 3
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


def shortened(n):
    return textwrap.shorten("some words", n)


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


class Counting:
    """Stands for a function of a library."""

    def __init__(self, before):
        self.before = before
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.before(*args)


import importlib

library = importlib.import_module("textwrap")
setattr(library, "shorten", Counting(lambda text, width: text[:width]))
for n in range(4):
    print(work.shortened(n), library.shorten.calls)
