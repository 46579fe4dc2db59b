# Bound methods travel, whatever the names of their functions are.
# file: kit.py
def plain_deco(fn):
    def inner(self, *a): return ("d", fn(self, *a))
    return inner
class K:
    def __init__(self, n): self.n = n
    @plain_deco
    def m(self, x): return self.n * x
    def __hid(self, x): return -x - self.n
    def hid(self): return self.__hid
# file: work.py
def f(x): return x * 2
def apply(m, *a): return m(*a)
def each(ms, x): return [m(x) for m in ms]
# file: main.py
from functools import partial
import operator
from work import f, apply, each
from kit import K
class S:
    __slots__ = ("n",)
    def __init__(self, n): self.n = n
    def m(self, x): return x - self.n
    dbl = lambda self, x: (self.n, x)
for i in range(4):
    print(i, apply(f, i))
    print(apply(S(i).m, 3), apply(S(i).dbl, i))
k = K(3)
for i in range(4):
    k.n = f(i)
    print(apply(k.m, i), apply(k.hid(), i), each([k.m, S(i).dbl, {i, 8, 0}.union], [i]))
print(each([operator.itemgetter(0), "abc".index, [1].__len__ and str, partial(k.m)], "a"), f(1))
K.late = lambda self: self.n
print(apply(k.late), apply(K.late, k), apply(k.__class__, 4).n)
