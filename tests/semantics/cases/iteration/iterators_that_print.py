# Iterators of the program's own with effects.
# file: work.py
def f(x): return x + 10
# file: main.py
from work import f
class Count:
    def __init__(self, n): self.n, self.i = n, 0
    def __iter__(self): print("iter"); return self
    def __next__(self):
        if self.i >= self.n: print("stop"); raise StopIteration
        self.i += 1
        return self.i
    def __reversed__(self): return (f(i) for i in range(self.n, 0, -1))
    def __len__(self): print("len"); return self.n
c = Count(3)
print([f(x) for x in c], [f(x) for x in c], list(reversed(c)), bool(c))
for x in c: print("never")
c.i = 0
for x in c:
    print(f(x))
    if x == 2: c.n = 4
a, *b = (f(v) for v in Count(3))
print(a, b, max(map(f, Count(3))), sorted(Count(3), key=lambda v: -f(v)))
