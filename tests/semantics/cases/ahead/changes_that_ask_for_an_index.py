# What a bytearray is given, and where `insert` puts something, is asked for its index.
# file: work.py
def f(x):
    return x
# file: main.py
from collections import deque

from work import f


class Loud:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        print("asked for", self.value)
        return self.value


def index(n):
    return Loud(n) if n > 3 else n


data, items, queue = bytearray(b"ab"), [0, 1], deque([0, 1])
for n in range(6):
    data.append(index(n))
    data.insert(index(n), n)
    data.extend([index(n)])
    data[0] = index(n)
    items.insert(index(n), n)
    queue.insert(index(n), n)
    print(f(bytes(data)), f(list(items)), f(list(queue)))
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
