# A value that is an argument, and that the program changes before it looks at the value.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import time


def keep(x):
    return x


def slow(x):
    time.sleep(0.02)
    return x


def first(rows):
    time.sleep(0.02)
    return rows[0]
# file: main.py
import work


def appended(items):
    kept = work.keep(items)
    items.append(5)
    return kept


def beside(items):
    kept = work.slow(items)
    total = 0
    for i in range(100_000):
        total += i
    items.append(total)
    print(kept)
    return kept


def moved(rows):
    row = work.first(rows)
    total = sum(i * i for i in range(50_000))
    rows.insert(0, [total])
    row.append("first")
    return row


def only_read(items, log):
    kept = work.slow(items)
    total = sum(i * i for i in range(50_000))
    log.append(total)
    kept.append("read")
    return kept


items = [1]
for _ in range(5):
    kept = appended(items)
    print(kept, kept is items)
for _ in range(5):
    print(beside(items) is items)
rows = [[1], [2]]
for _ in range(4):
    print(moved(rows), rows)
log = []
for _ in range(4):
    print(only_read(items, log) is items, items, log)
all_kept = [work.slow(items) for _ in range(4)]
items.append("z")
print(all_kept)
