# Pure functions that register something, or set what members, threads, classes and contexts have of their own.
# told: 5
# file: work.py
import abc
import contextvars
import copyreg
import enum
import functools
import sys
import threading
import time


class Shape(abc.ABC):
    pass


class Job:
    pass


class Mode(enum.Enum):
    FAST = 1


Mode.FAST.count = 0
kinds = [type(f"Kind{i}", (), {}) for i in range(8)]
own = threading.local()
depth = contextvars.ContextVar("depth", default=0)


@functools.singledispatch
def weigh(x):
    return 0


def virtual(x):
    time.sleep(0.001)
    before = sum(issubclass(one, Shape) for one in kinds)
    Shape.register(kinds[x])
    return before


def chosen(x):
    before = sum(weigh(one()) for one in kinds)
    weigh.register(kinds[x], lambda one: 1)
    return before


def counted(x):
    Mode.FAST.count += 1
    return Mode.FAST.count


def threads(x):
    own.calls = getattr(own, "calls", 0) + 1
    return own.calls


def described(x):
    before = getattr(Job(), "number", None)
    Job.number = property(lambda self: x)
    return before


def deeper(x):
    depth.set(depth.get() + 1)
    return depth.get()


class Finder:
    @staticmethod
    def find_spec(*asked):
        return None


def found(x):
    sys.meta_path.append(Finder)
    return sum(one is Finder for one in sys.meta_path), Job in copyreg.dispatch_table
# file: main.py
import work

for i in range(8):
    print(work.virtual(i), work.chosen(i), work.counted(i), work.threads(i))
    print(work.described(i), work.deeper(i), work.found(i))
print(work.Mode.FAST.count, work.own.calls, work.Job().number, work.depth.get())
