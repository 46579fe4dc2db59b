# A remote function as class attribute binds self; as an argument it arrives as the function.
# file: work.py
import functools
import math
from json import dumps


def f(self, x=1):
    """Doc of f."""
    return getattr(self, "name", self), x


f.version = 3


def apply(func, *args):
    return func(*args)


def pick(name):
    return {"f": f, "sin": math.sin}[name]


@functools.wraps(f)
def wrapped(*args):
    return "wrapped", f(*args)


alias = f
part = functools.partial(f, "part")
lam = lambda x: ("lam", x)


@functools.lru_cache
def cached(x):
    return x * 2
# file: names.py
class Named:
    name = "someone"
# file: main.py
import copy
import inspect

import work
from names import Named


class Mine(Named):
    method = work.f
    plain = staticmethod(work.f)
    by_class = classmethod(work.f)


mine = Mine()
print(mine.plain(1, 2), Mine.method(3), Mine.plain(4, x=5), work.f.version)
print(work.apply(work.f, 1, 2), work.apply(work.pick("f"), 3), work.pick("f")(6), work.apply(len, "ab"))
print(work.wrapped(7), work.wrapped.__name__, work.alias(8), work.part(9), work.lam(10), work.cached(4))
print(work.dumps({"a": 1}), work.math.sqrt(16), work.f.__doc__, work.f.__defaults__)
print(inspect.signature(work.f), copy.copy(work.f)(1), copy.deepcopy([work.f])[0](2), callable(work.f))
print(work.apply(work.apply, work.f, 5), list(map(work.cached, range(3))))
