# What nested calls change of settings is there for those that called them, and for nobody else's blame.
# file: cord.toml
[remote.first]

[remote.second]

[remote.third]
# file: first.py
import os
import sys

import second


def limit():
    return sys.getrecursionlimit()


def name():
    os.environ["NAME"] = "first"


def through():
    found = second.through()
    return found, os.environ.get("NAME"), sys.getrecursionlimit()


def on_top():
    return second.back(), sys.getrecursionlimit()
# file: second.py
import os

import first
import third


def through():
    first.name()
    third.deep(4000)
    return os.environ.get("NAME")


def back():
    return first.limit()
# file: third.py
import sys


def deep(n):
    sys.setrecursionlimit(n)
# file: main.py
import os
import sys

import first
import second
import third

print(first.on_top())
sys.setrecursionlimit(1500)
print(first.on_top(), second.back())
print(first.through(), sys.getrecursionlimit(), os.environ.get("NAME"))
print(first.limit(), second.back(), first.on_top())
