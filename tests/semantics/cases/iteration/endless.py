# Endless iterators: count, cycle, repeat, iter with a sentinel, and an endless generator.
# file: work.py
def f(x):
    return x * x % 13
# file: main.py
from itertools import count, cycle, repeat

import work

for n in count(2):
    if work.f(n) == 0:
        break
print(n)
for k, c in zip(range(7), cycle("abc")):
    print(c, work.f(k), end=" ")
print()
left = 5
for x in repeat(left):
    left -= 1
    print(work.f(x + left), end=" ")
    if not left:
        break
print()


def naturals():
    n = 0
    while True:
        yield n
        n += 1


pull = naturals()
print([next(v for v in pull if work.f(v) == r) for r in (1, 4, 9, 3)], next(pull))
stack = [3, 0, 2, 1]
print([work.f(x) for x in iter(stack.pop, 0)], stack)
