# Positional-only, starred and keyword arguments, evaluated once and in order.
# file: work.py
def f(a, /, b, *args, c=3, d, **kw): return a, b, args, c, d, sorted(kw.items())
def default(x, acc=[]):
    return len(acc) + x
# file: main.py
from work import f, default
args, kw = (2, 3, 4), {"d": 5, "e": 6}
print(f(1, *args, **kw), f(*args, d=1), f(1, b=2, d=0, a=9))
for i in range(3):
    kw[f"k{i}"] = i
    print(f(*range(i + 2), *"ab", **{**kw, "c": i}), default(i), default(i, acc=[0] * i))
def gen():
    print("gen start"); yield 1; print("gen mid"); yield 2; print("gen end")
print(f(0, *gen(), d=print("d evaluated")))
try: f(1, 2)
except TypeError as e: print(e)
try: f(a=1, b=2, d=3)
except TypeError as e: print(e)
try: f(1, **{"b": 1}, **{"b": 2}, d=1)
except TypeError as e: print(e)
try: f(1, *None)
except TypeError as e: print(e)
