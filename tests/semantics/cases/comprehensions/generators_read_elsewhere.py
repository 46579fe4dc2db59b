# Generator expressions that are read elsewhere: stored, looped over, interleaved, left early.
# file: work.py
def f(x):
    return x
# file: main.py
import work
print([r for r in (work.f(i) for i in range(6))])
def main(n, k=2):
    g = (work.f(i * k) + j for i in range(n) if i % 2 for j in (0, 1))
    for r in g:
        print(r)
        if r > 8: break
    print(list(g), g.__name__)
    return sum((work.f(x) for x in [1, 2]), start=1)
print(main(8))
for a in (work.f(b) for b in "abc"):
    print(a)
h = (work.f(i) for i in 5) if False else (work.f(i) for i in range(3))
print(next(h), next(h), list(h))
try:
    z = (work.f(i) for i in 5)
except TypeError as e:
    print(e)
def two():
    a = (work.f(i) for i in range(5)); b = (work.f(-i) for i in range(5))
    return [x + y for x, y in zip(a, b)]
print(two())
print(*map(str, (work.f(q) for q in range(3))))
class K:
    xs = [1,2,3]
    ys = list((work.f(v) for v in xs))
    zs = tuple(w for w in (work.f(v) for v in xs))
print(K.ys, K.zs)
