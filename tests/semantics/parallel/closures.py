# Inner functions with variables of the function around, defaults, and recursion.
# overlap: 3
# file: main.py
from work import nap


def main(k, n):
    def step(x, y=2, *, z=0):
        return nap(x, k) + y + z

    def visit(i):
        if i >= n:
            return 0
        value = nap(i)
        left = visit(2 * i + 1)
        right = visit(2 * i + 2)
        return value + left + right

    total = 0
    for i in range(n):
        total += step(i, z=i)
        print(i, total)
    return visit(0)


print(main(5, 9))
