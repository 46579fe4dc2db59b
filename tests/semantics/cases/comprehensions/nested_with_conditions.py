# Nested comprehensions with conditions at both levels, and a comprehension inside another.
# file: work.py
def mul(a, b):
    return a * b


def keep(a):
    return a % 3 != 0
# file: main.py
import work

print([(a, b, work.mul(a, b)) for a in range(5) if a != 2 for b in range(a) if (a + b) % 2])
print([[work.mul(i, j) for j in range(4)] for i in range(3)])
print([work.mul(a, a) for a in range(10) if work.keep(a)])
print([y for x in range(4) if work.keep(x) for y in range(work.mul(x, 2)) if y % 2])
print({k: {work.mul(k, v) for v in range(k)} for k in range(4) if work.keep(k + 1)})
