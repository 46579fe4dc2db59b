# What a program can ask of itself: frames, line numbers, code objects, source.
# file: work.py
def f(x):
    return x
# file: main.py
import inspect
import sys

import work


def here():
    return sys._getframe(1).f_lineno, sys._getframe(1).f_code.co_name


def run(a, *, b=2):
    """Documented."""
    print(work.f(a), here())
    for i in range(2):
        print(work.f(i), here())
    return [here() for i in range(2) if work.f(i + 1)]


print(run(1), here())
print(run.__name__, run.__doc__, inspect.signature(run), run.__kwdefaults__)
print(run.__code__.co_firstlineno, run.__code__.co_argcount)
print(inspect.getsource(run).splitlines()[-1], run.__module__, run.__qualname__)
