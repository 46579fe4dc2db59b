# A library keeps what it runs in a context variable, which nothing in a replica can read.
# overlap: 4
# file: lib/runs.py
import threading
from contextvars import ContextVar, copy_context

current = ContextVar("current", default=None)


class Run:
    def __init__(self, number):
        self.number, self.lock = number, threading.Lock()


def start(function, number):
    def within():
        current.set(Run(number))
        return function(current.get().number)

    return copy_context().run(within)


def each(function, items):
    for item in items:
        yield start(function, item)
# file: main.py
import sys

sys.path.append("lib")
import runs
import work

print(list(runs.each(work.nap, range(40))))
