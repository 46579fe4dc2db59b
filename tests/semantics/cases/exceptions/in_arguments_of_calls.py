# Arguments that raise, before, between and after calls.
# file: work.py
def f(*a, **k): print("called", a, k); return len(a)
# file: main.py
from work import f
def boom(x): print("boom", x); raise LookupError(x)
def ok(x): print("ok", x); return x
for case in range(6):
    try:
        if case == 0: f(ok(1), boom(2), ok(3))
        elif case == 1: f(f(1), boom(f(2)))
        elif case == 2: f(*[ok(i) for i in range(2)], k=boom(3))
        elif case == 3: boom(f(ok(1)))(f(2))
        elif case == 4: f(x := ok(5), x + 1, [][0])
        else: f(1)[f(2)]
    except (LookupError, TypeError) as e:
        print(type(e).__name__, e)
xs = [1, 2, 3]
try:
    for i in range(5): print(f(xs[i]))
except IndexError as e: print(e)
print(f(**{"a": 1}) / f())
