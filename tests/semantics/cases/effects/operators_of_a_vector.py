# Operators of a class call remotely, in sums, sorts and comparisons.
# file: work.py
def norm(x, y): return (x * x + y * y) ** 0.5
# file: main.py
from functools import total_ordering
from work import norm
@total_ordering
class V:
    __slots__ = ("x", "y")
    made = 0
    def __init__(self, x, y):
        V.made += 1
        self.x, self.y = x, y
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    __radd__ = lambda self, o: self if o == 0 else NotImplemented
    def __mul__(self, k): return V(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __abs__(self): return norm(self.x, self.y)
    def __eq__(self, o): return abs(self) == abs(o)
    def __lt__(self, o): return abs(self) < abs(o)
    def __hash__(self): return hash((self.x, self.y))
    def __bool__(self): return abs(self) > 0
    def __iter__(self): yield from (self.x, self.y)
    def __format__(self, spec): return f"<{self.x:{spec}},{self.y:{spec}}>"
    def __matmul__(self, o): return self.x * o.x + self.y * o.y
    def __iadd__(self, o):
        self.x += o.x; self.y += norm(o.x, 0)
        return self
vs = [V(3, 4), V(1, 0), V(0, 0), V(2, 2)]
print(sum(vs), f"{sum(vs):.2f}") if False else print(f"{sum(vs):.2f}")
print([f"{v:d}" for v in sorted(vs)], max(vs).x, [abs(2 * v) for v in vs], [bool(v) for v in vs])
v = vs[1]
for _ in range(3):
    v += v * 2
    print(f"{v:.1f}", V.made, v @ vs[0], norm(*v))
print(V(3, 4) == V(4, 3), V(3, 4) <= V(5, 0), V(1, 1) != V(1, 1))
