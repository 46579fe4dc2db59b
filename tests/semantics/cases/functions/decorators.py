# Decorators around helpers: timing-free wrappers, with arguments, on methods, contextmanager.
# file: work.py
def f(x):
    if x < 0:
        raise ValueError(x)
    return x**0.5
# file: main.py
import functools
from contextlib import contextmanager

import work


def retry(times, fallback=None):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args):
            for attempt in range(times):
                try:
                    return func(*args, attempt)
                except ValueError as error:
                    print("attempt", attempt, "failed on", error)
            return fallback

        return wrapper

    return decorate


@retry(3)
def root(x, attempt):
    return work.f(x + attempt * 2)


class Solver:
    @retry(2, fallback="none")
    def solve(self, x, attempt):
        return [work.f(v) for v in range(x, x + 3)]


@contextmanager
def value(x):
    yield work.f(x)
    print("closing", work.f(x + 1))


print([root(x) for x in (4, -1, -3, -9)], Solver().solve(1), Solver().solve(-5), root.__name__)
with value(16) as v:
    print(v)
