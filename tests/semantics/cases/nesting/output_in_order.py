# What the called module writes stands inside what its caller writes, on both streams.
# args: --loud
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import os
import sys

import accounts


def record(x):
    print("  record", x)
    print("  complaint", x, file=sys.stderr)
    if x:
        accounts.show(x - 1)
        print("  recorded", x, end="")
    sys.stdout.flush()
    os.write(1, b"!\n")
# file: accounts.py
import sys

import ledger


def show(x):
    print("show", x, end=" ")
    sys.stdout.write("before\n")
    sys.stdout.flush()
    ledger.record(x)
    print("after", x)
    sys.stderr.write(f"shown {x}\n")
# file: main.py
import accounts
import ledger

print("main")
accounts.show(3)
ledger.record(2)
print("end")
