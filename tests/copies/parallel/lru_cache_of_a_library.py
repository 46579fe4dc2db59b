# A library keeps the function behind functools.lru_cache.
# overlap: 4
# file: lib/caches.py
import functools


def cached(function):
    return functools.lru_cache(maxsize=None)(lambda x: function(x))
# file: main.py
import sys

sys.path.append("lib")
import caches
import work

nap = caches.cached(work.nap)
print([nap(x % 30) for x in range(40)], nap.cache_info())
