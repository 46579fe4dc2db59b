# A calls B, which calls A: in the replica of A that waits, with A's state, fifty deep and more.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import accounts

calls = 0


def down(n):
    global calls
    calls += 1
    return accounts.up(n - 1) + 1 if n else accounts.mark("bottom")


def count():
    return calls
# file: accounts.py
import ledger

depth = 0
marks = []


def up(n):
    global depth
    depth += 1
    try:
        return ledger.down(n) + depth if n else mark("top")
    finally:
        depth -= 1


def mark(text):
    marks.append((text, depth))
    return len(marks)


def seen():
    return marks, depth, ledger.count()
# file: main.py
import accounts
import ledger

print(accounts.up(1), accounts.up(2), ledger.down(3))
print(accounts.up(50), ledger.down(51))
print(accounts.seen())
