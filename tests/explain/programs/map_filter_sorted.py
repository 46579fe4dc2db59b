# map, filter and keys.
# file: main.py
from work import f, g


def good(x):
    return g(x) > 2  # ahead


print(list(map(f, range(5))), list(filter(good, range(6))), sorted(range(5), key=lambda x: -f(x)))  # ahead, ahead, ahead
