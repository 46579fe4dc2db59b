# A pure function that draws from random numbers that it is given.
# told: 1
# file: work.py
def f(r, x):
    t = sum(i % 7 for i in range(3000))
    return r.random()


# file: main.py
import work, random

r = random.Random(3)
for x in range(6):
    print(work.f(r, x))
