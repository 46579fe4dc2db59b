# Classes whose methods keep what they returned, and properties that are computed once.
# told: 1
# file: work.py
def call(function, *args):
    return function(*args)


def use(one):
    return one.double(2), one.double(2), one.half, type(one).named("x")
# file: main.py
import functools

import work


class Cached:
    def __init__(self, n):
        self.n = n

    @functools.lru_cache
    def double(self, by):
        return self.n * by

    @functools.cached_property
    def half(self):
        return self.n / 2

    @staticmethod
    @functools.cache
    def named(text):
        return text.upper()


for n in range(3):
    print(work.use(Cached(n)), work.call(Cached(n).double, 3), work.call(Cached.named, "y"))
print(work.call(lambda one: (one.double(5), Cached.named("z")), Cached(4)))
