# Bound methods of the script's classes whose functions have other names: decorated, private, lambdas.
# file: work.py
def apply(method, *args): return method(*args)
# file: main.py
from work import apply
def logged(function):
    def inner(self, *args): return function(self, *args)
    return inner
class Account:
    def __init__(self, n): self.n = n
    @logged
    def add(self, x): return self.n + x
    def __take(self, x): return self.n - x
    @property
    def take(self): return self.__take
    @classmethod
    def name(cls, x): return cls.__name__, x
    pair = lambda self, x: (self.n, x)
    alias = add
account = Account(3)
for name in ["add", "take", "name", "pair", "alias"]:
    print(name, apply(getattr(account, name), 4))
for x in range(4):
    account.n += apply(account.add, x)
    print(apply(account.take, x))
Account.name = lambda self, x: x
print(apply(account.name, 5))
