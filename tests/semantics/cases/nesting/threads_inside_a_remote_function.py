# Threads of a remote function call other modules, at the same time and back into their own.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import accounts

total = 0


def add(x):
    global total
    total += x
    return accounts.scale(x)


def sum_of_all():
    return total
# file: accounts.py
from concurrent.futures import ThreadPoolExecutor

import ledger

factor = 3


def scale(x):
    return x * factor


def add_all(numbers):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(ledger.add, numbers))
# file: main.py
import accounts
import ledger

print(accounts.add_all(range(20)))
print(ledger.sum_of_all())
print(accounts.add_all([1, 2]), ledger.add(5), ledger.sum_of_all())
