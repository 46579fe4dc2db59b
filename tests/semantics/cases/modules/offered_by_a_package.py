# Functions that a package offers and its private modules define.
# file: shop/__init__.py
from math import hypot

from ._cart import Basket, total
from .prices import *
# file: shop/_cart.py
class Basket:
    def __init__(self, *items):
        self.items = items

    def cost(self):
        return total(self.items)


def total(items):
    return sum(items)
# file: shop/prices.py
from functools import lru_cache, singledispatch

__all__ = ["quote", "described", "items"]


@lru_cache
def quote(x):
    return x * 3


@singledispatch
def described(x):
    return f"some {x!r}"


@described.register
def _(x: int):
    return f"the number {x}"


def items():
    yield 1
# file: cord.toml
[remote.shop]
pure = true
replicas = 2
callstyle = "async"
# file: main.py
import inspect
import pickle

import shop
from shop import Basket, described, quote, total
from shop._cart import total as total_at_home

import shop._cart

print(total is total_at_home is shop.total is shop._cart.total, total == total_at_home)
print(total.__module__, total.__qualname__, inspect.signature(total), inspect.getsource(total))
print(pickle.loads(pickle.dumps(total)) is total, pickle.dumps(total, 4))
for n in range(5):
    print(total([n, 1]), total_at_home([n]), Basket(n, n).cost(), quote(n), shop.hypot(n, 4))
print([described(x) for x in (1, "a", None)], list(shop.items()))
print(quote.__wrapped__(2), sorted(map(total, [[3], [1, 1]])), {total: 1}[shop.total])


def loop(numbers):
    found = []
    for number in numbers:
        found.append(total([number, quote(number)]))
    return found


print(loop(range(6)))
shop.total = len
print(shop.total([5, 5]), total([5, 5]), shop._cart.total([5, 5]))
