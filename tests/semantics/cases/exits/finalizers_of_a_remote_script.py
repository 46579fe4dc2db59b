# A remote script: its globals are finalized at the end as without Cord.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["f", "h"]
# file: main.py
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
    def m(self): return f(self.n)
class B:
    def __init__(self, n): self.n = n
    def __del__(self): print("del B", self.n)
K = [3]
def f(x): return x + K[0]
def h(fn, x): return fn(x)
a = A(1); b = B(2)
for i in range(3):
    K[0] += f(i)
    print(a.m(), h(lambda x: x + i, 3))
class L:
    def t(self, x): return x + 1
print(h(L().t, 3), h(L, *[]) if 0 else 0)
print("end")
