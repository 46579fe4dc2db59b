# The program has its own range, list, print, len, sum and open.
# file: work.py
def f(x):
    return x * 3
# file: helper.py
import work


def len(x):
    return 100


def measure(xs):
    return work.f(len(xs))
# file: main.py
import helper
import work
from helper import len

shown = []


def range(n):
    shown.append(n)
    return [n, n - 1]


def sum(items):
    return ["mine", *items]


class list(list):
    def append(self, x):
        super().append(x)
        super().append("twice")


items = list()
for i in range(4):
    items.append(work.f(i))
    print(work.f(len(items)), helper.measure(items))
print(items, shown, sum(work.f(x) for x in range(2)), [work.f(x) for x in range(7)])


def local(enumerate, zip=lambda *a: [(1, 2)]):
    return [work.f(x) + y for x, y in zip("ab")] + [work.f(i) for i in enumerate(3)]


print(local(lambda n: iter([n, n])))
del range
print([work.f(i) for i in range(3)], shown)
