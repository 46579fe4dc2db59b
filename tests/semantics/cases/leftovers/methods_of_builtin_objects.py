# Pure functions change, or read, objects through bound methods of these that they are given or hold.
# told: 3
# file: work.py
import random

table = {"a": 1}
held = table.setdefault


def add(put, x):
    put(x)
    return x


def fill(x):
    return held(x, 2 * x)


def look(get):
    return get("a", 0)


def again(x):
    random.seed(x)
    return x
# file: main.py
import random

import work

rows, bag, mine = [], set(), {"b": 2}
for i in range(6):
    print(work.add(rows.append, i), rows, work.add(bag.add, i % 3), sorted(bag))
    print(work.fill(i), sorted(map(str, work.table)))
    print(work.look(mine.get))
    mine["a"] = i
random.seed(1)
for i in range(4):
    print(work.again(i))
    print(random.random())
# file: cord.toml
[remote.work]
replicas = 2
pure = true
callstyle = "async"
inline = false
