# A function that comes as an argument reads the state of its own module.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: helper.py
RATE = 0.1
def tax(x): return x * RATE
class Item:
    def __init__(self, n): self.n = n
    def price(self): return self.n
# file: work.py
def apply(f, x): return f(x)
def total(items): return sum(i.price() for i in items)
# file: main.py
import work, helper
print(work.apply(helper.tax, 100))
helper.RATE = 0.5
print(work.apply(helper.tax, 100))
print(work.total([helper.Item(3)]))
helper.Item.price = lambda self: -1
print(work.total([helper.Item(3)]))
