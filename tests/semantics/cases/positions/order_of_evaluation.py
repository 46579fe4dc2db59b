# Every expression of a statement is evaluated in Python's order.
# file: work.py
def f(x): print("f", x); return x
# file: main.py
from work import f
i = 0
while (v := f(i)) < 3: i += 1
else: print("else", v)
print(1 < f(2) < f(3) < f(1) < f(9), f(0) and f(1), f(0) or f(2) or f(3), not f(0), f(5) if f(0) else f(6))
print(f(1) in [f(0), f(1), f(2)], f(1) is f(1), f(3) == f(3) != f(4), [f(x) for x in range(3) if f(x) and x])
x = f(1) + f(2) * f(3) ** f(2) // f(4) - -f(5)
print(x, f(1) @ f(2) if f(0) else "n", (f(1), *[f(2)], *(f(3),)), {f(1): f(2), **{f(3): f(4)}}, {f(1), f(2)})
assert f(1), f(2)
lst = [0, 0]
lst[f(0)] += f(7); lst[f(1):f(2)] = [f(8)]; print(lst, lst[f(0):f(2):f(1)])
(lambda a=f(1), *b, c=f(2): print(a, b, c, f(3)))(f(4), f(5))
try: assert not f(1), f"msg {f(2)}"
except AssertionError as e: print(e)
del lst[f(0)]; print(lst)
# file: cord.toml
[remote.work]
callstyle = "async"
