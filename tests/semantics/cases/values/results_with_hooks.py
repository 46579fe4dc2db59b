# Results of a class whose every hook prints.
# file: kit.py
class Seq:
    def __init__(self, xs): self.xs = xs
    def __bool__(self): print("bool"); return bool(self.xs)
    def __len__(self): print("len"); return len(self.xs)
    def __iter__(self): print("iter"); return iter(self.xs)
    def __eq__(self, o): print("eq"); return self.xs == o.xs
    def __contains__(self, x): print("contains"); return x in self.xs
    def __getitem__(self, i): print("get", i); return self.xs[i]
    def __hash__(self): return 1
    def __call__(self, *a): return Seq(self.xs + list(a))
    def __enter__(self): print("enter"); return self
    def __exit__(self, *a): print("exit")
    def __str__(self): return "S" + str(self.xs)
# file: work.py
from kit import Seq
def f(n): return Seq(list(range(n)))
def g(s): return Seq(s.xs[::-1])
# file: main.py
from work import f, g
for i in range(3):
    s = f(i)
    if s: print("true", s)
    print(len(s), [x for x in s], s == f(i), 1 in s, {s: 1}[f(i)] if i else "", s(9, 8))
    with g(s) as t: print(t)
    for x in g(f(i)): print(f(x))
    if i > 1: print(s[-1], *s, f"{s}", s != f(1))
