# Missing keys, missing attributes and items have effects.
# file: work.py
def f(x): return x + 1
# file: main.py
from work import f
class D(dict):
    def __missing__(self, k):
        print("missing", k)
        self[k] = k * 10
        return self[k]
class Lazy:
    def __init__(self): self.calls = 0
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        print("getattr", name)
        self.calls += 1
        setattr(self, name, f(len(name)))
        return getattr(self, name)
    def __getitem__(self, i):
        if i >= 3: raise IndexError(i)
        print("item", i)
        return i
    def __len__(self): return 3
    def __contains__(self, x):
        print("in?", x)
        return x == 2
    def __call__(self, *a): return f(sum(a))
d, z = D(), Lazy()
for k in (1, 2, 1, 3): print(f(d[k]), len(d))
print(z.alpha, z.beta, z.alpha, z.calls)
for x in z: print(f(x))
print([f(v) for v in z if v in z], z(1, 2, 3), f(2) in z)
