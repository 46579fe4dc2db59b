# Impure functions that raise keep what they did before.
# file: bank.py
class Empty(Exception):
    def __init__(self, wanted, left):
        super().__init__(wanted, left)
        self.left = left


_balance = 100


def draw(n):
    global _balance
    if n > _balance:
        raise Empty(n, _balance)
    _balance -= n
    return _balance


def pay(n):
    global _balance
    _balance += n
# file: cord.toml
[remote.bank]
replicas = 1
# file: main.py
import bank

for n in (30, 50, 40, 10, 20, 5):
    try:
        print(bank.draw(n))
    except bank.Empty as error:
        print("empty:", error.left, error.args)
        bank.pay(n)
print(bank.pay(1), bank.draw(0))
bank.draw(10**9)
