# A pure function with a cache, which the program looks at.
# told: 1
# file: work.py
import functools


@functools.lru_cache
def f(x):
    t = sum(i % 7 for i in range(3000))
    return x + t


# file: main.py
import work

print([work.f(x % 3) for x in range(9)], work.f.cache_info())
