# Finalizers of global objects call remote functions while the interpreter ends.
# file: work.py
def f(x): return x + 1
# file: main.py
from work import f
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n, f(self.n))
a = D(1)
b = [D(2), D(3)]
c = D(4); c.me = c
print("end", f(0))
