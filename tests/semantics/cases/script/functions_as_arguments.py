# Functions of the main script, lambdas and closures go with a call, with the globals they read.
# file: work.py
def best(items, key):
    return max(items, key=key)


def call(function, *args, **kwargs):
    return function(*args, **kwargs)


def each(functions, x):
    return [function(x) for function in functions]
# file: main.py
import functools
import math
from math import hypot

import work

WEIGHTS = {"a": 3, "b": 1}
LIMIT = 10


def weight(word):
    return sum(WEIGHTS.get(letter, 0) for letter in word)


def bounded(x):
    return min(scaled(x), LIMIT)


def scaled(x, factor=2):
    return x * factor


@functools.lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def logged(function):
    @functools.wraps(function)
    def inner(*args):
        return (function.__name__, function(*args))

    return inner


@logged
def halved(x):
    return x / 2


@functools.singledispatch
def kind(x):
    return "thing"


@kind.register
def _(x: int):
    return "number"


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor

    def times(self, x):
        return self(x) + math.floor(hypot(3, 4))

    @staticmethod
    def plain(x):
        return -x

    @classmethod
    def made(cls, x):
        return cls(x).factor


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def counter(start):
    def add(n):
        return n + start if n <= 0 else add(n - 1) + 1

    return add


words = ["ab", "aa", "b"]
print(work.best(words, weight), work.best(words, key=len), work.best(words, lambda w: -weight(w)))
print([work.call(bounded, x) for x in range(3, 7)])
print(work.call(fib, 60), work.call(halved, 5), work.call(kind, 3), work.call(kind, "x"))
print(work.each([Scale(3), Scale(2).times, Scale.plain, Scale.made, Scale(1).made], 4))
print(work.call(even, 10), work.call(counter(5), 3))
print(work.call(functools.partial(scaled, factor=7), 6), work.call(scaled, 2, factor=5))
table = {"twice": lambda x: x * 2, "square": lambda x: x**2}
print([work.call(table[name], 5) for name in sorted(table)])
print([work.call(lambda x, n=n: x + n, 1) for n in range(4)])
print([f(10) for f in work.each([lambda n: (lambda m: m * n), counter], 3)])
