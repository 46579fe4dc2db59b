# Methods and functions that come as arguments change globals and classes at which the program looks.
# file: bank.py
TOTAL = 0
LOG = []


def bump(x):
    global TOTAL
    TOTAL += x
    return TOTAL


class Account:
    made = 0

    def __init__(self):
        self.held = 0

    def add(self, x):
        self.held += x
        Account.made += 1
        LOG.append(x)
        return self.held
# file: work.py
class Sum:
    total = 0

    def __init__(self):
        self.held = 0

    def add(self, x):
        self.held += x
        Sum.total += x
        return self.held


def add(account, x):
    return account.add(x)
# file: other.py
def call(function, x):
    return function(x)
# file: third.py
import functools


@functools.lru_cache
def kept(x):
    return [x]


def late(x):
    space = globals()
    space["added"] = space.get("added", 0) + x
    return space["added"]
# file: main.py
import other
import third
import work

import bank

some, more = work.Sum(), work.Sum()
print([work.add(one, x) for x in range(4) for one in (some, more)], work.Sum.total, some.held)
account = bank.Account()
print([other.call(account.add, x) for x in range(4)], bank.Account.made, bank.LOG)
print([other.call(bank.bump, x) for x in range(4)], bank.TOTAL)
print([third.late(x) for x in range(4)], third.added)
first = third.kept(1)
first.append(2)
print(third.kept(1), third.kept(1) is first, third.kept.cache_info())
# file: cord.toml
[remote.work]
[remote.other]
[remote.third]
