# Comprehensions of one code have a variable of one name, which functions inside one of them read.
# file: work.py
def nap(x, y=0):
    return x * 7 + y
# file: main.py
from work import nap


def inside(k):
    plain = [nap(x % 2) for x in range(6)]
    chosen = [(nap if x % 3 else abs)(x) for x in range(2)]
    shared = [(lambda y: nap(y, x + k))(x) for x in range(4)]
    return plain, chosen, shared, [(nap(x), (lambda: x)()) for x in range(3)]


print([nap(x % 2) for x in range(6)], [(nap if x % 3 else abs)(x) for x in range(2)])
print([(lambda y: nap(y, x))(x) for x in range(4)])
print(inside(1))
