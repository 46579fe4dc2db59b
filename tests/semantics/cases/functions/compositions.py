# Functions that helpers put together from remote and local ones.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10


def g(x, y=0):
    return (x * 3 + y) % 10
# file: main.py
from work import f, g
def compose(*functions):
    def composed(x):
        for function in reversed(functions):
            x = function(x)
        return x
    return composed
h = compose(f, g, f)
for x in range(6):
    print(h(x))
k = compose(f, abs)
print([k(-x) for x in range(6)])
def two(a, b):
    return lambda x: a(b(x))
m = two(f, g)
for x in range(6):
    print(m(x))
for x in range(6):
    print(h(f(x)))
