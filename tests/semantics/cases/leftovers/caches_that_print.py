# What a cached function prints when it is first called is printed once, whoever calls it next.
# told: 2
# file: work.py
import functools
from unittest.mock import Mock

mock = Mock()


def mocked(x):
    mock(x)
    return mock.call_count


@functools.lru_cache
def _load(x):
    print("load", x)
    return x * 2
@functools.lru_cache
def _quiet(x): return x + 1
def get(x): return _load(x) + _quiet(x)
def only(x): return _quiet(x)
class Obs:
    def __str__(self): return f"obs {_load(1)}"
obs = Obs()
# file: main.py
import work
for i in range(3):
    for x in (1, 2, 1): print(work.get(x), work.only(x))
print(work.obs)
print(work._load(2), work.get(3))
for i in range(3):
    print(work.mocked(i), work.mock.call_count)
