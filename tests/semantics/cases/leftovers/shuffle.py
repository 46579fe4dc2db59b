# A pure function that draws from the random numbers that all share, and changes its argument.
# told: 1
# file: work.py
import random


def f(v):
    t = sum(i % 7 for i in range(3000))
    random.shuffle(v)
    return v


# file: main.py
import random
import work

random.seed(2)
for x in range(6):
    print(work.f([1, 2, 3, 4, 5]))
