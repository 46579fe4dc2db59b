# Impure remote functions of the main script: what they change is changed in the program.
# file: cord.toml
[remote.main]
only = ["tally", "note", "boom", "bump", "record", "called", "forget"]
# file: main.py
counter = 0
log = []
rows = [[0, 0], [0, 0]]
names = {"a": [1]}
alias, first, inner = log, rows[0], names["a"]


class Stats:
    total = 0

    def __init__(self):
        self.n = 0


stats = Stats()


def tally(x):
    global counter
    counter += x
    return counter


def note(text):
    log.append(text)
    names["a"].append(text)
    print("noted", text)
    return len(log)


def boom(x):
    global counter, fresh
    counter = -1
    fresh = x
    raise ValueError(x)


def bump(i, j):
    rows[i][j] += 1


def record():
    stats.n += 1
    Stats.total += 2
    return stats.n


def called():
    called.times += 1
    return called.times


def forget():
    global fresh
    del fresh
    log.clear()


called.times = 10
for i in range(5):
    print(tally(i), counter)
counter = 100
print(tally(1), counter)
for text in "abc":
    note(text)
print(log, alias is log, alias, inner, inner is names["a"])
try:
    boom(5)
except ValueError as error:
    print("boom", error, counter, fresh)
counter = 0
print(tally(1))
bump(0, 1)
bump(1, 0)
bump(0, 1)
print(rows, first)
print(record(), record(), stats.n, Stats.total, stats.total)
print(called(), called(), called.times)
forget()
print(log, alias, "fresh" in globals())
