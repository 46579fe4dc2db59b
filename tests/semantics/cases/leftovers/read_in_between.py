# Local work between a call and its value reads what the call changes, whatever the plan says of it.
# told: 3
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false

[remote.open]
callstyle = "async"
# file: work.py
import time

table = [0]


def count():
    time.sleep(0.003)
    table.append(len(table))


def add(items):
    time.sleep(0.003)
    items.append(len(items))
    return len(items)


def put(names, key):
    time.sleep(0.003)
    names[key] = len(names)
# file: open.py
import time


def put(names, key):
    time.sleep(0.003)
    names[key] = len(names)
# file: main.py
import open as tied
import work
from work import table


def counted():
    work.count()
    held = list(work.table)
    total = sum(held)
    print(held, total)


def aliased():
    work.count()
    held = sorted(table)
    print(held)


def added(items):
    number = work.add(items)
    total = sum(items)
    print(total, number)


def put(module, names, key):
    module.put(names, key)
    held = list(names.values())
    print(held)


for _ in range(4):
    counted()
    aliased()
items, names, others = [], {}, {}
for number in range(6):
    added(items)
    put(work, names, number)
    put(tied, others, number)
