# Caches of methods, of functions of the script and of lambdas: the program asks what they counted.
# told: 2
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import functools


class Numbers:
    @staticmethod
    @functools.lru_cache(maxsize=None)
    def fib(n):
        return n if n < 2 else Numbers.fib(n - 1) + Numbers.fib(n - 2)


def number(n):
    return Numbers.fib(n)


def counted():
    return Numbers.fib.cache_info()


def apply(function, values):
    return [function(value) for value in values]
# file: main.py
import functools

import work


@functools.lru_cache
def square(x):
    print("square", x)
    return x * x


def made():
    @functools.cache
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib


print([work.number(n) for n in range(8)], work.counted(), work.Numbers.fib.cache_info())
print(work.apply(square, [1, 1, 2]), square.cache_info())
print(work.apply(square, [1, 3]), square.cache_info())
square.cache_clear()
print(work.apply(square, [1]), square.cache_info())
fib = made()
print(work.apply(fib, [10, 11]), fib.cache_info())


def used(x):
    return fib(x) + 1


print(work.apply(used, [12]), fib.cache_info())
doubled = functools.lru_cache(lambda x: 2 * x)
print(work.apply(doubled, [1, 1]), doubled.cache_info())
