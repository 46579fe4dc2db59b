# finally blocks and context managers around calls, in order, also when they raise themselves.
# file: work.py
def f(x):
    if x < 0:
        raise ValueError(x)
    return x
# file: main.py
from contextlib import ExitStack, contextmanager, suppress

import work


@contextmanager
def step(name):
    print("enter", name)
    try:
        yield name * 2
    except ValueError as error:
        print("seen", name, error)
        if name == "c":
            raise KeyError(name) from error
        if name != "a":
            raise
    finally:
        print("leave", name)


for x in (1, -1, 2):
    with step("a") as a, step("b"):
        print(a, work.f(x))
    with suppress(ValueError):
        print("in", work.f(-x))
        print("after", x)
with ExitStack() as stack:
    for name in "xy":
        stack.enter_context(step(name))
        stack.callback(print, "callback", work.f(5))
try:
    with step("c"):
        work.f(-9)
except KeyError as error:
    print(repr(error), repr(error.__cause__))


def returns():
    try:
        return work.f(-1)
    except ValueError:
        return work.f(2)
    finally:
        print("finally", work.f(3))


def overrides():
    for i in range(3):
        try:
            work.f(i - 1)
        finally:
            if i < 2:
                continue
            return "kept"


print(returns(), overrides())
