# A helper that decides by a result, in a loop.
# file: main.py
from work import f, g


def best(x):
    if f(x) < 3:  # ahead
        return None
    return g(x)  # ahead


for x in range(8):
    print(best(x))  # ahead
