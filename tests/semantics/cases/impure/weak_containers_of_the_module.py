# A module keeps objects in weak containers: they live as long as the program's own.
# file: cord.toml
[remote.work]
# file: work.py
import weakref


class Node:
    def __init__(self, n):
        self.n = n


_all = weakref.WeakValueDictionary()


def get(n):
    if n not in _all:
        node = Node(n)
        _all[n] = node
        return node
    return _all[n]


def count():
    return len(_all)
# file: main.py
import work

kept = [work.get(i % 3) for i in range(9)]
print(len({id(one) for one in kept}), work.count())
del kept
print(work.count())
