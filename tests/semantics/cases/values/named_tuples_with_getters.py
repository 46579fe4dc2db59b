# Named tuples with properties and methods of their own.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from collections import namedtuple
from typing import NamedTuple
from work import f
Point = namedtuple("Point", "x y")
class Seg(NamedTuple):
    a: Point
    b: Point
    @property
    def dx(self): return self.b.x - self.a.x
    def length(self): return abs(self.dx)
segs = [Seg(Point(i, 0), Point(i * i, 1)) for i in range(5)]
for s in segs:
    print(f(s.dx))
for s in segs:
    print(f(s.length()))
for (a, b) in segs:
    print(f(a.x + b.y))
for s in segs:
    print(f(s._replace(a=Point(0, 0)).dx))
