# The calls are made by a helper that the loop calls.
# overlap: 3
# file: main.py
import work


def measured(x):
    value = work.nap(x)
    return value * 2 + 1


def run(n):
    best = 0
    for i in range(n):
        best = max(best, measured(i))
        print(i, best)
    return best


print(run(16), [measured(i) for i in range(8)])
