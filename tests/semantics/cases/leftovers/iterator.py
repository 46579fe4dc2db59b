# A pure function that takes one more item of an iterator in each call.
# told: 1
# file: work.py
def f(it, x):
    t = sum(i % 7 for i in range(3000))
    return next(it) + x


# file: main.py
import work

it = iter(range(20))
for x in range(6):
    print(work.f(it, x))
