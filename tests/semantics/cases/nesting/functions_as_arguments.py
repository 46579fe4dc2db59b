# A remote function that is given to another module's function is called where it lives.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
entries = []


def record(text):
    """Write it down."""
    entries.append(text)
    return len(entries)


def each(function, items):
    return [function(item) for item in items]


def history():
    return entries
# file: accounts.py
import functools
import inspect

import ledger


def apply(function, items):
    return [function(item) for item in items]


def about(function):
    return function.__name__, function.__module__, function.__doc__, str(inspect.signature(function))


def both(items):
    return list(map(ledger.record, items)), functools.reduce(lambda a, b: a + b, items)
# file: main.py
import accounts
import ledger

print(accounts.apply(ledger.record, "ab"), ledger.each(ledger.record, "cd"))
print(ledger.each(accounts.about, [ledger.record, accounts.both]))
print(accounts.both(["x", "y"]))
print(ledger.history())
