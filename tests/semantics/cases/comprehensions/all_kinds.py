# List, set, dict comprehensions and a generator expression consumed at once.
# file: work.py
import time


def f(x):
    time.sleep(x * 3 % 4 / 1000)
    return x * x % 11
# file: main.py
import work

xs = list(range(12))
print([work.f(x) for x in xs])
print(sorted({work.f(x) for x in xs}))
print({x: work.f(x) for x in xs})
print({work.f(x): x for x in xs})
print(sum(work.f(x) for x in xs), max(work.f(x) for x in xs))
print(tuple(work.f(x) for x in xs), list(work.f(x) for x in xs))
print(",".join(str(work.f(x)) for x in xs))
