# Arrays, tables and generators of NumPy that undeclared functions change.
# file: cord.toml
[remote.work]
# file: work.py
import numpy as np
def scale(a, by): a *= by; return float(a.sum())
def put(a, at, value): a[at] = value
def sort(a): a.sort()
def draw(rng, n): return rng.integers(0, 100, n).tolist()
def objects(a): a[0].append(1); a[1] = "x"
def both(a, b): a += 1; return (a == b).all()
def same(a): return a
def part(d): d["x"][1:] = 0; return d["x"]
class Model:
    def __init__(self): self.weights, self.fitted = np.zeros(2), False
def fit(model, x): model.weights += x.mean(axis=0); model.fitted = True; return model
# file: main.py
import numpy as np
import work
a = np.arange(4.0); view = a[1:3]
print(work.scale(a, 2), a, view)
work.put(view, 0, 50); print(a, view)
big = np.ones(50000); work.put(big, slice(10, 20), 3); print(big.sum(), work.scale(big, 0.5), big.sum())
m = np.arange(6).reshape(2, 3).T; work.put(m, (0, 1), 9); print(m.tolist(), m.flags.f_contiguous)
b = np.array([3, 1, 2]); work.sort(b); print(b)
rng, twin = np.random.default_rng(3), np.random.default_rng(3)
print([work.draw(rng, 3) for _ in range(3)] == [twin.integers(0, 100, 3).tolist() for _ in range(3)], rng.random() == twin.random())
state, other = np.random.RandomState(1), np.random.RandomState(1)
def pick(r): return r.randint(100)
o = np.empty(2, object); o[0] = mine = []; work.objects(o); print(o, mine)
print(work.both(a, a), a)
print(work.same(a) is a)
d = {"x": b, "y": b}; print(work.part(d) is b, b, d["y"])
model = work.Model(); w = model.weights
for n in range(3): print(work.fit(model, np.full((2, 2), n)) is model, w, model.fitted)
