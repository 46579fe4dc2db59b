# Names that the loop depends on are rebound inside it.
# file: work.py
def f(x):
    return x + 1
# file: main.py
import work

xs = [1, 2, 3]
for x in xs:
    xs = [work.f(x), 50]
    print(x, xs)
for x in list(xs):
    xs.append(work.f(x))
    x = xs[-1] + work.f(x)
    print(x)
step, i = 1, 0
while i < 30:
    i += step
    r = work.f(i)
    print(i, r)
    if r > 5:
        step = 7
    if r == 20:
        i, step = 28, 1
f = work.f
for k in range(4):
    print(f(k))
    f = (lambda g: lambda v: g(v) * 2)(f) if k == 1 else f
