# What a bound method, a partial function or a cache calls that a pure function is given, and what that leaves behind.
# told: 2
# file: cord.toml
[remote.other]
pure = true
replicas = 2
inline = false
# file: bank.py
LOG = []
class Account:
    made = 0
    def add(self, x):
        Account.made += 1
        LOG.append(x)
        return x
    @classmethod
    def make(cls, x):
        LOG.append(("made", x)); return x
    def __call__(self, x):
        return self.add(x)
def bump(x):
    LOG.append(("bump", x))
    return x
# file: other.py
def call(function, x):
    return function(x)
def use(account, x):
    return account.add(x)
def first(table, x):
    return table["a"][0](x)
# file: main.py
import other, bank, functools
account = bank.Account()
print([other.call(bank.Account.make, x) for x in range(1,4)], bank.Account.made, bank.LOG)
print([other.call(functools.partial(account.add), x) for x in range(1,4)], bank.Account.made, bank.LOG)
print([other.call({"a": [account.add]}["a"][0], x) for x in range(1,4)], bank.Account.made, bank.LOG)
print([other.first({"a": [account.add]}, x) for x in range(1,4)], bank.Account.made, bank.LOG)
print([other.call(account, x) for x in range(1,4)], bank.Account.made, bank.LOG)
print([other.call(functools.partial(bank.bump), x) for x in range(1,4)], bank.LOG[-3:])
print([other.call(functools.cache(bank.bump), x) for x in range(1,4)], bank.LOG[-3:])
print([other.call(functools.partial(lambda t, x: t[0](x), [account.add]), x) for x in range(1,4)], bank.LOG[-3:])
