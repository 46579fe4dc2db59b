# Two threads of the program call modules that are not pure and call one another.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import accounts

calls = 0


def there(n):
    global calls
    calls += 1
    return accounts.note(n) + 1


def note(n):
    return n * 10
# file: accounts.py
import ledger

calls = 0


def there(n):
    global calls
    calls += 1
    return ledger.note(n) + 2


def note(n):
    return n * 100
# file: main.py
import threading

import accounts
import ledger

results = {}


def work(module, name):
    results[name] = [module.there(n) for n in range(60)]


threads = [
    threading.Thread(target=work, args=(accounts, "accounts")),
    threading.Thread(target=work, args=(ledger, "ledger")),
    threading.Thread(target=work, args=(accounts, "more")),
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results.items()))
