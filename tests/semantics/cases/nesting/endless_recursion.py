# Modules that call one another without end get a RecursionError, as one module would.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import accounts


def down(n):
    return accounts.up(n + 1)
# file: accounts.py
import sys

import ledger


def up(n):
    if n == 0:
        sys.setrecursionlimit(200)
    return ledger.down(n + 1)


def alive():
    return "alive"
# file: main.py
import accounts

try:
    accounts.up(0)
except RecursionError as error:
    print(type(error).__name__, str(error)[:32])
print(accounts.alive())
