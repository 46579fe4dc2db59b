# What a function of the script read at a call dies when the program lets go of it.
# file: cord.toml
[remote.main]
replicas = 1
callstyle = "sync"
pure = true
only = ["read"]
# file: beside.py
HERE = True
# file: main.py
import weakref

import beside


class Thing:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("gone", self.n)


class Holder:
    pass


items = [Thing(1), Thing(2)]
table = {"a": Thing(3)}
one = Thing(4)
chosen = {Thing(5)}
pair = (Thing(6), [Thing(7)])
holder = Holder()
holder.thing = Thing(8)
ended = weakref.ref(holder)


def read(x):
    sizes = len(items), len(table), one is None, len(chosen), len(pair), holder is None
    return x, sizes


print(read(1))
items.clear()
print("the list is cleared")
table["a"] = None
print("the dict's value is another")
one = None
print("the name stands for another")
chosen.clear()
print("the set is cleared")
pair = ()
print("the tuple is gone")
holder.thing = 1
print("the attribute is another")
holder = None
print(ended() is None, read(2))
