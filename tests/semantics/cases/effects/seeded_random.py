# A seeded generator draws between the calls, for arguments and for decisions.
# file: work.py
def f(x):
    return round(x * 100)
# file: main.py
import random

import work

random.seed(12)
for i in range(6):
    v = work.f(random.random())
    if random.random() < 0.4:
        print("lucky", random.randint(1, 9))
    print(v, random.choice("abcdef"))
rng = random.Random(5)
print([work.f(rng.random()) for _ in range(4)], rng.random())
items = list(range(8))
for _ in range(3):
    rng.shuffle(items)
    print([work.f(x) for x in items[:3]], rng.getstate()[1][-1])
