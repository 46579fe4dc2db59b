# Stars and functions that take all items, over generators which wait for their calls.
# file: work.py
def norm(x, y):
    return (x * x + y * y) ** 0.5
# file: main.py
from work import norm
class V:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __iter__(self):
        yield from (self.x, norm(self.y, 0))
class W:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __iter__(self):
        yield self.x
        yield norm(self.x, self.y)
        yield self.y
vs = [V(3, 4), V(1, 0), W(0, 0), W(2, 2)]
for v in vs: print(norm(sum(v), 1), norm(len(list(v)), 2))
for v in vs: print(norm(max(*v), 1), norm(*tuple(v)[:2]))
for v in vs:
    a, *b = v
    print(norm(a, len(b)), [*v, *v], {*v}, (*v, 1))
for v in vs: print(norm(*sorted(v)[:2]), dict(enumerate(v)), list(zip(v, v)), norm(*[x for x in v][:2]))
for v in vs: print(norm(sum(reversed(list(v))), 1), norm(min(v), max(v)), any(v), all(v))
def g(n):
    for i in range(n):
        yield norm(i, i)
for n in range(4): print(norm(sum(g(n)), 0), norm(len([*g(n)]), 1), norm(len(list(g(n))), 2), norm(*[*g(2)]))
