# Objects that are their own iterators, and special methods that give no proper value.
# file: work.py
def f(x):
    return (x * 7 + 3) % 11


# file: main.py
from work import f


class Count:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n > 5:
            raise StopIteration
        self.n += 1
        return self.n


class Through(Count):
    def __iter__(self):
        return Count(self.n)


class Odd:
    def __init__(self, shown):
        self.shown = shown

    def __bool__(self):
        return self if self.shown is None else self.shown

    def __iter__(self):
        return self.shown

    def __add__(self, other):
        return self + other

    def __eq__(self, other):
        return other == self

    def __getattr__(self, name):
        return self.other


for turn in range(4):
    print(turn, f(turn), [f(x) for x in Count(turn)])
    print([f(x) + y for x, y in zip(Through(f(turn)), Count(0))], sum(map(f, Count(3))))

for shown in [3, None, "", [1, 2], range(3), True]:
    odd = Odd(shown)
    for operation in (
        lambda: f(4) if odd else f(5),
        lambda: [f(x) for x in odd],
        lambda: f(odd + 1),
        lambda: f(7 if odd == odd.shown else 8),
        lambda: f(odd.nothing),
    ):
        try:
            print(f(0), operation(), f(1))
        except (TypeError, RecursionError) as error:
            print(type(error).__name__)
