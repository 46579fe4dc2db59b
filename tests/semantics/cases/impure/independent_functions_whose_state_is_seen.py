# What independent functions change of their module, or draw, is there where the program's text names it.
# file: cord.toml
[remote.work]
replicas = 3
independent = true
inline = false
# file: work.py
import random

count = 0
seen = []
names = {"a": 1}


def counted(x):
    global count
    count += 1
    return x


def kept(x):
    seen.append(x)
    return x * names["a"]


def seeded(x):
    random.seed(x)
    return x


def quiet(x):
    return x * names["a"]
# file: main.py
import random

import work
from work import seen

random.seed(4)
for i in range(4):
    work.counted(i)
print(work.count)
print([work.kept(i) for i in range(4)], seen)
print([work.seeded(i) for i in range(4)], random.random())
print([work.quiet(i) for i in range(4)])
