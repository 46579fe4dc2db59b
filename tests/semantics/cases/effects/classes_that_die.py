# Classes that a loop makes die when the program lets go of them.
# file: work.py
def f(x): return x * 2
def h(o): return o.n
# file: main.py
import gc, weakref
from work import f, h
class Base:
    def __init__(self, n): self.n = n
    def m(self): return f(self.n)
refs = []
def make(i):
    class Sub(Base):
        k = i
        @property
        def p(self): return f(self.k)
    s = Sub(i)
    s.q = f(i)
    refs.append(weakref.ref(Sub))
    return [s.m() + s.p, f(s.q)]
for i in range(5): print(make(i))
gc.collect()
print(len(Base.__subclasses__()), [r() for r in refs])
class Fin:
    def __del__(self): print("fin")
z = Fin()
print("end")
