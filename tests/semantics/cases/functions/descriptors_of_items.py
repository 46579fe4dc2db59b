# Attributes kept by a descriptor of the program's, and in slots.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Positive:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, cls=None):
        return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value): setattr(obj, self.name, abs(value))
class Item:
    size = Positive()
    def __init__(self, n): self.size = n
items = [Item(-n) for n in range(5)]
for i in items:
    print(f(i.size))
class S:
    __slots__ = ("n",)
    def __init__(self, n): self.n = n
for s in [S(n) for n in range(5)]:
    print(f(s.n))
