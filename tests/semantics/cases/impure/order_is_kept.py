# Impure calls happen exactly once and in order, with pure ones and files of the client between.
# file: work.py
import time


def f(x):
    time.sleep(x % 3 / 1000)
    return x * 2
# file: store.py
from pathlib import Path

_items = []


def put(x):
    _items.append(x)
    with Path("store.txt").open("a") as f:
        f.write(f"put {x}\n")
    return len(_items)


def get():
    return list(_items)
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote.store]
replicas = 1
callstyle = "async"
# file: main.py
import store
import work

for i in range(8):
    v = work.f(i)
    if v % 4 == 0:
        print("size", store.put(v))
        with open("store.txt", "a") as f:
            f.write("client\n")
    print(work.f(v), store.get())
print([store.put(work.f(x)) for x in range(3)], [work.f(x) for x in store.get()])
