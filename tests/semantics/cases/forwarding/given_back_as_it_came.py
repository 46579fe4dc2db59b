# A function gives back its argument, changed, and only another call gets that.
# file: cord.toml
[remote.work]
# file: work.py
def merge(a):
    a.append(1)
    return a


def show(r):
    print("shown", r)


def both(a, *, b):
    b.append(a[0])
    return b
# file: main.py
from work import both, merge, show

tree = [0]
merged = merge(tree)
show(merged)
print(tree, merged is tree)
mixed = both(tree, b=merged)
show(mixed)
print(tree, mixed is tree)
