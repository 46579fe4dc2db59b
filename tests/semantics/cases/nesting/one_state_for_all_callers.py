# A remote module's state is one, whether the program or another remote module calls it.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
entries = []


def record(text, *, by="nobody"):
    entries.append((by, text))
    return len(entries)


def history():
    return list(entries)
# file: accounts.py
import ledger
from ledger import record as note

balance = 0


def deposit(amount):
    global balance
    balance += amount
    number = ledger.record(f"deposit {amount}", by="accounts")
    return balance, number, note("noted")


def seen():
    return [text for _, text in ledger.history()]
# file: main.py
import accounts
import ledger

ledger.record("start")
for amount in [10, 20, 30]:
    print(accounts.deposit(amount), ledger.record("program", by="main"))
print(ledger.history())
print(accounts.seen() == [text for _, text in ledger.history()])
