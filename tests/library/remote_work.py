"""The plan and the remote module of the tests of this topic."""

from __future__ import annotations

# `together` looks for files of other calls: none of its calls may begin before its time, in a cell
# that runs later.
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true

[run]
copies = false
"""
WORK = '''\
import os
import time

def square(x):
    "The square of x."
    return x * x

def pid(x=None):
    return os.getpid()

def fail(x):
    raise ValueError(f"remote {x}")

def show(x):
    print("shown", x)
    return x

def together(x, folder="."):
    """How many calls were seen running at one time, this one included."""
    mark = f"{folder}/mark{x}"
    open(mark, "w").close()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        seen = sum(name.startswith("mark") for name in os.listdir(folder))
        if seen > 1:
            return seen
        time.sleep(0.002)
    return 1

def seed():
    return hash("red")
'''
