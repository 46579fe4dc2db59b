# A metaclass with a __hash__ of its own, which nobody calls but the program.
# file: work.py
def f(x): return x * 2
# file: main.py
from work import f
class Meta(type):
    def __hash__(cls): print("hash", cls.__name__); return 7
    def __eq__(cls, o): print("eq", cls.__name__); return cls is o
class A(metaclass=Meta):
    def __init__(self, n): self.n = n
    def m(self, o): return f(self.n + o)
    @property
    def p(self): return f(self.n)
a = A(1)
for i in range(3):
    a.d = i
    f(a.n)
print(a.m(2), a.p, [A(i).m(i) for i in range(4)])
for i in range(3): print(len(repr(type(A(i)))), f(i))
