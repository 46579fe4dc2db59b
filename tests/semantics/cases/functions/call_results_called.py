# Calls on what calls return: chained attributes, subscripts, operators, methods with callbacks.
# file: work.py
class Vec:
    def __init__(self, *xs):
        self.xs = xs

    def __add__(self, other):
        return Vec(*(a + b for a, b in zip(self.xs, other.xs)))

    def __iter__(self):
        return iter(self.xs)

    def __repr__(self):
        return f"Vec{self.xs}"

    def map(self, func):
        return Vec(*map(func, self.xs))


def unit(n, i):
    return Vec(*(int(j == i) for j in range(n)))


def inc(x):
    return x + 1
# file: main.py
import work

total = work.unit(3, 0)
for i in range(3):
    total = total + work.unit(3, i)
    print(total, work.unit(4, i).map(work.inc).xs[i], [work.inc(x) for x in work.unit(2, i)])
print(sum(work.unit(5, 2)), max(work.unit(3, 1).map(lambda x: work.inc(x) * 7)), str(total)[3:])
a, *b = work.unit(3, 2) + work.unit(3, 2).map(work.inc)
print(a, b, [*work.unit(2, 0), *work.unit(2, 1)])
