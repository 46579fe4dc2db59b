# Exceptions pass through replicas as through frames: caught, chained, noted, or not at all.
# stderr: whole
# file: cord.toml
[remote.accounts]
replicas = 1

[remote.ledger]
replicas = 1
# file: ledger.py
import sys


class Refused(Exception):
    def __init__(self, what, code):
        super().__init__(f"{what} is refused")
        self.code = code


def check(x):
    if x == 1:
        raise Refused(x, code=7)
    if x == 2:
        sys.exit(9)
    if x == 3:
        raise ExceptionGroup("both", [KeyError("a"), Refused("b", 8)])
    return 1 / (x - 4)
# file: accounts.py
import ledger

closed = 0


def enter(x):
    global closed
    try:
        return ledger.check(x)
    except ZeroDivisionError as error:
        error.add_note("in accounts")
        raise LookupError(x) from error
    finally:
        closed += 1


def closings():
    return closed
# file: main.py
import traceback

import accounts
import ledger

for x in [0, 1, 2, 3, 4]:
    try:
        print(accounts.enter(x))
    except ledger.Refused as error:
        print("refused", error, error.code)
    except SystemExit as error:
        print("exit", error.code)
    except ExceptionGroup as group:
        print(group.message, group.exceptions[1].code)
    except LookupError as error:
        print(type(error.__cause__), error.__cause__.__notes__)
        traceback.print_exc()
print(accounts.closings())
accounts.enter(4)
