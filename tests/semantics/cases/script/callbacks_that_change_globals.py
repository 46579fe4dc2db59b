# What an impure call changes among the main script's globals is changed in the program.
# file: work.py
def each(items, callback):
    for item in items:
        callback(item)
    return len(items)


def call(function, *args):
    return function(*args)
# file: cord.toml
[remote.work]
# file: main.py
import work

seen = []
alias = seen
total = 0
best = {"name": None, "score": 0}


class Stats:
    calls = 0

    def __init__(self):
        self.history = []


stats = Stats()
history = stats.history


def collect(item):
    global total
    seen.append(item)
    total += item
    stats.history.append(total)
    Stats.calls += 1
    if item > best["score"]:
        best.update(name=f"n{item}", score=item)


def collect_then_fail(item):
    collect(item)
    if item > 3:
        raise ValueError(item)


print(work.each([3, 1, 2], collect), seen, total, best, stats.history, Stats.calls)
print(alias is seen, history is stats.history)
total = 100
try:
    work.each([1, 5, 7], collect_then_fail)
except ValueError as error:
    print("failed at", error, seen, total, best, alias is seen, history)
seen.clear()
print(work.each([4], collect), seen, alias, stats.calls)
