# Vectors whose attributes are set together; operators, unpacking and texts of them.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __mul__(self, k): return Vec(self.x * k, self.y * k)
    def __eq__(self, o): return self.x == o.x
    def __iter__(self): return iter((self.x, self.y))
    def __repr__(self): return f"Vec({self.x}, {self.y})"
v = Vec(1, 2)
for k in range(5):
    v = v + Vec(k, 1)
    print(f(v.x))
for k in range(5):
    a, b = v * k
    print(f(a + b))
for k in range(5):
    print(f(len(f"{v * k}")), f(len(str(v))))
for u in [Vec(1, 1), Vec(2, 2), Vec(1, 3), Vec(3, 1)]:
    if u == Vec(1, 0):
        continue
    print(f(u.y))
