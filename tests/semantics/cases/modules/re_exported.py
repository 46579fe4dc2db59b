# Remote functions that reach the program through other modules of its own.
# file: work.py
def f(x):
    return x + 1


def g(x):
    return x * 2
# file: facade/__init__.py
from work import f as plus
from work import g

from .inner import *

__all__ = ["plus", "g", "twice"]
# file: facade/inner.py
import work

__all__ = ["twice"]


def twice(x):
    return work.f(work.f(x))
# file: main.py
try:
    from fast_work import f
except ModuleNotFoundError:
    from work import f

import facade
from facade import *
from facade.inner import work as w

for i in range(3):
    print(facade.plus(i), plus(i), g(i), twice(i), facade.inner.twice(i), w.f(i), f(i))
print(facade.plus is f, [facade.g(x) for x in range(4)], sum(facade.twice(x) for x in range(4)))
