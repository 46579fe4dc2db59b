# Accounts are kept remotely; transfers fail with exceptions of their own.
# file: bank.py
class InsufficientFunds(Exception):
    def __init__(self, need, have):
        super().__init__(need, have)
        self.need, self.have = need, have
    def __str__(self): return f"need {self.need}, have {self.have}"
_accounts = {}
def open_account(name, amount=0):
    if name in _accounts: raise ValueError(f"{name!r} exists")
    _accounts[name] = amount
def transfer(a, b, amount):
    if _accounts[a] < amount: raise InsufficientFunds(amount, _accounts[a])
    _accounts[a] -= amount
    _accounts[b] += amount
    return dict(_accounts)
def balance(name): return _accounts[name]
# file: main.py
import bank
from bank import InsufficientFunds, transfer
for n, a in {"ann": 10, "bob": 5}.items(): bank.open_account(n, a)
for a, b, x in [("ann", "bob", 7), ("ann", "bob", 7), ("bob", "eve", 1), ("bob", "ann", 2)]:
    try:
        print(transfer(a, b, x))
    except InsufficientFunds as e:
        print("no:", e, e.need - e.have)
        transfer(a, b, amount=e.have)
    except KeyError as e:
        print("unknown", e, bank.balance("bob"))
    finally:
        print(bank.balance("ann"))
bank.open_account("ann")
# file: cord.toml
[remote.bank]
