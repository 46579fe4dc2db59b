# A pure function that imports the random numbers that all share when it is called.
# told: 1
# file: work.py
def f(v):
    t = sum(i % 7 for i in range(3000))
    import random

    return random.randint(0, 1000)


# file: main.py
import random
import work

random.seed(2)
for x in range(6):
    print(work.f(x))
