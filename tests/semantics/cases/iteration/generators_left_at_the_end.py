# Generators that the program leaves where they are end with it: what they do then is done, while calls
# ahead of them are still under way.
# file: work.py
import time


def slow(x):
    time.sleep(0.02)
    return x + 1
# file: main.py
import work


def sieve(items, name):
    try:
        for item in items:
            yield work.slow(item)
    finally:
        print("the end of", name)


class Walk:
    def __init__(self, items):
        self.steps = self.walk(items)

    def walk(self, items):
        try:
            for item in items:
                yield work.slow(item), self
        finally:
            print("the end of a walk")


first = sieve(range(40), "first")
print(next(first), next(first))

walk = Walk(range(40))
print(next(walk.steps)[0])
del walk  # it holds itself
