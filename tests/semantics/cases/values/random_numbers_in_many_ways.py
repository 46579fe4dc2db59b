# Random numbers come in the program's order, whatever else draws from the same generator.
# file: work.py
def f(x):
    return x
# file: main.py
import random
from random import choice, randint

import work


class Loaded(random.Random):
    def random(self):
        print("drawn")
        return super().random()


def noisy(rng):
    rng.shuffle(order)
    return rng.randint(1, 6)


random.seed(4)
order = list(range(5))
rng = random.Random(1)
for turn in range(5):
    print(work.f(random.random()), randint(1, 6), choice("abc"))
    random.shuffle(order)
    print(work.f(noisy(rng)), order)
    print(work.f(random.choices([1, 2, 3], k=2)))
    if work.f(turn) == 2:
        random.seed(turn)
        rng = Loaded(3)
state = random.getstate()
first = [work.f(random.gauss(0, 1)) for _ in range(3)]
random.setstate(state)
print(first == [work.f(random.gauss(0, 1)) for _ in range(3)])


real = random.random
random.random = lambda: print("patched") or real()
for _ in range(3):
    print(work.f(random.random()))
