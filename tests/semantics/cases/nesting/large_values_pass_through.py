# Megabytes go through a replica to another one and back, by value each time.
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
kept = []


def keep(data):
    kept.append(len(data))
    return data + data[:10]


def make(size):
    return bytes(range(256)) * size
# file: accounts.py
import ledger


def forward(data):
    back = ledger.keep(data)
    back[0] = 255
    return data[0], back


def fetch(size):
    text = ledger.make(size)
    return len(text), text[-1000:]
# file: main.py
import accounts

data = bytearray(3_000_000)
first, back = accounts.forward(data)
print(first, data[0], back[0], len(back))
size, end = accounts.fetch(10_000)
print(size, sum(end))
