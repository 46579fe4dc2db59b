# What undeclared functions change in modules is there where the program reads it.
# file: cord.toml
[remote.work]
[remote.dice]
[remote.books]
# file: store.py
total = 0
items = []
# file: work.py
import store

calls = 0
seen = []
class Box:
    made = 0
    def __init__(self): Box.made += 1
def count():
    global calls
    calls += 1
    return calls
def keep(x):
    seen.append(x)
    count.times = getattr(count, "times", 0) + 1
    return len(seen)
def add(x):
    store.total += x
    store.items.append(x)
    return store.total
def box(): return Box().made
# file: dice.py
import random

def throw(): return random.randrange(1000)
def seed(n): random.seed(n)
# file: books.py
_rows = {}
class Reader:
    def sum(self): return sum(_rows.values())
def put(name, amount):
    _rows[name] = amount
    return Reader()
# file: main.py
import random
import books, dice, store, work

for i in range(3):
    print(work.count(), work.calls, work.keep(i), work.seen, work.count.times)
    print(work.add(i), store.total, store.items)
    print(work.box(), work.Box.made)
work.calls = 10
work.seen.clear()
print(work.count(), work.calls, work.keep(5))
random.seed(3)
print(dice.throw(), random.random(), dice.throw(), random.random())
dice.seed(5)
print(random.random(), dice.throw())
print(books.put("a", 3).sum(), books.put("b", 4).sum())
