# Who draws very many random numbers is no one who seeds; and who seeds is heard of.
# file: cord.toml
[remote.work]

[remote.apart]
# file: work.py
import random


def total(n):
    return sum(random.random() for _ in range(n))


def seed(n):
    random.seed(n)
# file: apart.py
import random


def seeded_total(n):
    random.seed(n)
    return sum(random.random() for _ in range(n))
# file: main.py
import random

import apart
import work

random.seed(5)
print(random.random(), work.total(60_000), random.random(), work.total(10), random.random())
work.seed(7)
print(work.total(60_000), random.random(), apart.seeded_total(50_000), random.random())
print(work.total(3), apart.seeded_total(3), random.random())
