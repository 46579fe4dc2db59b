# Closures that share a cell; nonlocal writes between the calls.
# file: work.py
def f(x):
    return x * 2
# file: main.py
import work


def counter():
    n = 0

    def bump(by):
        nonlocal n
        n += by
        return n

    def show():
        return work.f(n)

    return bump, show


bump, show = counter()
for i in range(4):
    print(bump(i), show(), work.f(bump(1)), show())


def outer():
    total = 0

    def add(x):
        nonlocal total
        total += work.f(x)

    for i in range(5):
        add(i)
        add(total)
        print(total)
    return lambda: work.f(total)


print(outer()())
