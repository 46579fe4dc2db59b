# Lazy iterators over sources with effects, shared and endless ones among them.
# file: work.py
def f(x): return x * 2
def even(x): return x % 2 == 0
# file: main.py
import itertools
from work import f, even
def src(n):
    for i in range(n): print("src", i); yield i
it = src(6)
print(f(next(it)), list(zip(map(f, it), it)))
print(list(itertools.takewhile(lambda x: f(x) < 8, src(9))))
print(list(filter(even, map(f, range(3)))), list(itertools.islice(map(f, itertools.count(5)), 3)))
a, b = itertools.tee(src(3))
print([f(x) for x in a], [f(x) + 1 for x in b])
for x, y in itertools.zip_longest(map(f, range(2)), src(3)): print(x, y)
print(dict(itertools.groupby(range(6), key=lambda x: f(x) // 4)).keys(), list(itertools.accumulate(range(4), lambda a, b: a + f(b))))
it = iter(range(10))
for x in it:
    if even(x): print("skip", f(next(it)))
print(next(it, "empty"))
lst = [1, 2, 3]
r = map(f, lst); lst.append(4); print(list(r)); print(list(r))
print(all(even(x) for x in src(4)), any(map(even, src(4))), 4 in (f(x) for x in src(5)))
m = iter(lambda: f(next(it2)), 8)
it2 = src(10)
print(list(m))
