# A stored generator expression binds late: what it reads changes before and while it is consumed.
# file: work.py
def scale(x, k):
    return x * k
# file: main.py
import work

factor = 2
items = [1, 2, 3]
lazy = (work.scale(x, factor) for x in items)
factor = 10
items.append(4)
print(next(lazy))
factor = 100
items.append(5)
print(next(lazy), list(lazy), items)


def inside():
    k = 3
    xs = [7, 8]
    g = (work.scale(x, k) for x in xs)
    xs = [0]
    k = 5
    xs.append(1)
    return g


print(list(inside()))
