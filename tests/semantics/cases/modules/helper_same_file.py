# Helpers in the same file, one with a default, one recursive, one with a local import.
# file: work.py
def price(item):
    return len(item) * 1.25


def tax(amount):
    return amount / 8
# file: main.py
import work


def full(item, rate=1):
    base = work.price(item)
    return base + rate * work.tax(base)


def basket(items):
    if not items:
        return []
    head, *tail = items
    return [full(head, rate=len(tail))] + basket(tail)


def report(items):
    print("report of", len(items))
    for item in items:
        print(f"{item:>8} {full(item):7.3f}")
    return sum(full(item) for item in items)


print(report(["tea", "bread", "honey"]))
print(basket(["a", "bb", "ccc", "dddd"]))
