# Remote functions stored, compared, bound, given attributes, and called with wrong arguments.
# file: work.py
def f(x, y=2): return (x, y)
def g(x): return -x
# file: main.py
import pickle, copy, functools, inspect, operator
import work
from work import f, g
table = {f: "f", g: "g"}
print(table[work.f], f is work.f, f == work.f, f == g, copy.copy(f) is f, copy.deepcopy([f])[0] is f)
print(pickle.loads(pickle.dumps(f)) is f, f.__defaults__, f.__code__.co_name, f.__kwdefaults__, f.__annotations__)
p = functools.partial(f, y=5)
print(p(1), p.func is f, [fn(3) for fn in (f, g, p)])
comp = lambda *fs: functools.reduce(lambda a, b: lambda x: b(a(x)), fs)
print(comp(g, g, f)(3))
for name in ("f", "g"): print(getattr(work, name)(1))
class K:
    method = f
    static = staticmethod(g)
    def __repr__(self): return "K()"
print(K.static(2), operator.methodcaller("static", 4)(K()))
f.attr = 5
print(work.f.attr, f.__dict__, callable(f), f.__doc__, f.__wrapped__ if hasattr(f, "__wrapped__") else None)
try: f()
except TypeError as e: print(e)
try: f(1, 2, 3)
except TypeError as e: print(e)
try: f(1, z=3)
except TypeError as e: print(e)
try: g(x=1, *[2])
except TypeError as e: print(e)
