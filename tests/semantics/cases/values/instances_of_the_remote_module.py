# Instances of the remote module's classes live in the program and travel by value.
# file: work.py
class Acc:
    def __init__(self): self.items = []
    def add(self, x): self.items.append(score(x)); return self
    def __eq__(self, o): return self.items == o.items
def score(x): return x * 2
def merge(a, b):
    r = Acc(); r.items = a.items + b.items; return r
def total(a): return sum(a.items)
# file: main.py
from work import Acc, merge, total, score
accs = [Acc().add(i).add(i + 1) for i in range(4)]
m = Acc()
for a in accs:
    m = merge(m, a)
    a.add(total(m))
    print(m.items, total(a), type(m) is Acc, m == merge(Acc(), m))
print([a.items for a in accs], isinstance(m, Acc), total(merge(*accs[:2]).add(score(1))))
