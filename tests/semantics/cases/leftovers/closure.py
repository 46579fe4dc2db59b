# A pure function that counts in a closure of its module's.
# told: 1
# file: work.py
def counter():
    n = 0

    def inc():
        nonlocal n
        n += 1
        return n

    return inc


inc = counter()


def f(x):
    t = sum(i % 7 for i in range(3000))
    return x, inc()


# file: main.py
import work

for x in range(8):
    print(work.f(x))
