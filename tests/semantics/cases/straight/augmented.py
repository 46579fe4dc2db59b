# Augmented assignment reads its target before the call and writes it after.
# file: work.py
def inc(x):
    return x + 1
# file: main.py
import work


class Spy(dict):
    def __getitem__(self, key):
        print("get", key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        print("set", key, value)
        super().__setitem__(key, value)


d = Spy(a=1)
d["a"] += work.inc(10)
d["a"] *= work.inc(d["a"])
d["b"] = work.inc(0)
print(dict(d))
items = alias = [1]
items += [work.inc(1)]
items += (work.inc(x) for x in [5, 6])
print(items, alias is items)
n = 0
n += work.inc(n) + (n := 100)
print(n)
