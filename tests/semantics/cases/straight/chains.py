# Nested calls, chains through variables, and a value inspected before the next call.
# file: work.py
def f(x):
    return x + 1


def g(x):
    return x * 2


def h(x, y):
    return x - y
# file: main.py
import work
from work import f, g, h

print(g(f(3)), f(f(f(f(0)))), h(g(f(1)), f(g(1))))
x = f(10)
y = g(x)
z = h(y, x)
print(x, y, z)
if y > 20:
    z = f(z)
print(z)
for i in range(6):
    v = work.f(i)
    if v % 2:
        v = work.g(v)
    print(work.h(v, i))
