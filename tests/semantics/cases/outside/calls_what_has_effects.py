# A function that the plan calls pure calls one of another module that is not.
# told: 1
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[remote.ledger]
# file: work.py
import ledger


def top(i):
    return ledger.record(i)
# file: ledger.py
_entries = []


def record(i):
    _entries.append(i)
    return len(_entries), _entries[-3:]
# file: main.py
import ledger
import work

for i in range(8):
    print(work.top(i))
    if i == 5:
        break
print(ledger.record(99))
