# Signatures, names, identity and pickles of functions that make calls.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
import copy
import functools
import inspect
import pickle

from work import nap


def helper(x, *rest, k: int = 3, **named) -> int:
    "Helps."
    return nap(x, k)


class Box:
    def score(self, x):
        return nap(x)

    def __call__(self, x):
        return nap(x, 1)


def look(function):
    print(function.__name__, inspect.signature(function), function.__doc__)
    return function


score = lambda x, *, y=2: nap(x, y)
print(look(helper) is helper, look(score) is score, look(nap) is nap)
print(score.__code__.co_argcount, score.__defaults__, score.__kwdefaults__, score.__closure__)
print(inspect.getsource(score), inspect.getsource(helper))
box = Box()
print(box.score == box.score, box.score.__self__ is box, callable(box))
part = functools.partial(nap, y=4)
print(part.func is nap, part.keywords, repr(part)[:17])
print(pickle.loads(pickle.dumps(helper)) is helper, copy.copy(score) is score)
print({helper: 1}[helper], [f(2) for f in {"a": helper, "b": score, "c": part, "d": box}.values()])
cached = functools.lru_cache(helper)
print([cached(x % 2) for x in range(6)], cached.cache_info(), cached.__wrapped__ is helper)
