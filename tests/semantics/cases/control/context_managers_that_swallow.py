# Context managers ask a remote function what to swallow.
# file: work.py
def should_swallow(name): return name in ("KeyError", "ValueError")
def f(x):
    if x == 1: raise KeyError("k")
    if x == 2: raise TypeError("t")
    return x
# file: main.py
from work import should_swallow, f
class Guard:
    def __init__(self, n): self.n = n
    def __enter__(self): print("enter", self.n, f(self.n * 10)); return self
    def __exit__(self, t, v, tb):
        print("exit", self.n, t and t.__name__, v, tb is not None)
        return t is not None and should_swallow(t.__name__)
for i in range(4):
    try:
        with Guard(i) as g, Guard(i + 10):
            print("body", f(g.n))
            if i == 3: raise ValueError("local")
        print("after", i)
    except TypeError as e: print("out", e)
def early():
    for i in range(3):
        with Guard(i):
            if i == 1: return f(5)
print(early())
with Guard(7): f(2)
