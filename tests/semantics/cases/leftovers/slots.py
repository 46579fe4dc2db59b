# A pure function that changes an object with slots.
# told: 1
# file: work.py
class P:
    __slots__ = ("x",)

    def __init__(self):
        self.x = 0


def f(a, x):
    t = sum(i % 7 for i in range(3000))
    a.x += x
    return a.x


# file: main.py
from work import P, f

a = P()
for i in range(6):
    print(f(a, i))
print(a.x)
