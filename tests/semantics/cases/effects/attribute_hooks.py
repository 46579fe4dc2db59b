# Hooks for reading, setting and deleting attributes keep a log.
# file: work.py
def f(x): return x + 1
# file: main.py
from work import f
class T:
    def __init__(self): object.__setattr__(self, "log", []); self.a = f(0)
    def __getattribute__(self, n):
        if n != "log": object.__getattribute__(self, "log").append("get " + n)
        return object.__getattribute__(self, n)
    def __setattr__(self, n, v):
        self.log.append(f"set {n}={v}"); object.__setattr__(self, n, f(v))
    def __delattr__(self, n): self.log.append("del " + n); object.__delattr__(self, n)
    def m(self): self.a += f(self.a); return self.a
t = T()
for i in range(3): print(f(t.m()), f(t.a))
t.b = t.a = f(5); del t.b
print(hasattr(t, "b"), t.log)
