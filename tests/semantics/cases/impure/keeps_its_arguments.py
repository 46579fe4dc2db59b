# Functions without a word keep arguments in globals, or know them by their identity: they are to
# have the program's own objects.
# file: cord.toml
[remote.boxes]
[remote.ids]
[remote.graph]
[remote.watchers]
[remote.weights]
# file: boxes.py
_rows = []


def add(row):
    _rows.append(row)
    return len(_rows)


def total():
    return sum(map(sum, _rows))
# file: ids.py
_names = {}


def name(thing):
    if id(thing) not in _names:
        _names[id(thing)] = len(_names)
    return _names[id(thing)]
# file: graph.py
class Node:
    def __init__(self, n):
        self.n = n


_seen = set()


def visit(node):
    if node in _seen:
        return "again"
    _seen.add(node)
    return "new"
# file: watchers.py
_watchers = []


def subscribe(watcher):
    _watchers.append(watcher)


def unsubscribe(watcher):
    _watchers.remove(watcher)
    return len(_watchers)


def publish(x):
    for one in _watchers:
        one.got(x)
    return len(_watchers)
# file: weights.py
_held = None


def use(weights):
    global _held
    _held = weights


def step():
    _held[0] -= 1
    return list(_held)
# file: main.py
import boxes
import graph
import ids
import watchers
import weights

row = [1, 2]
print(boxes.add(row), boxes.total())
row.append(10)
print(boxes.total(), boxes.add((row, 1)[0]), boxes.total())

things = [[i] for i in range(4)]
print([ids.name(one) for one in things], [ids.name(one) for one in things])

nodes = [graph.Node(i) for i in range(3)]
print([graph.visit(one) for one in nodes], [graph.visit(one) for one in nodes])


class Watcher:
    def __init__(self):
        self.heard = []

    def got(self, x):
        self.heard.append(x)


one, other = Watcher(), Watcher()
watchers.subscribe(one)
watchers.subscribe(other)
print(watchers.publish(1), one.heard, other.heard)
print(watchers.unsubscribe(one), watchers.publish(2), one.heard, other.heard)

mine = [5, 6]
weights.use(mine)
print(weights.step(), mine)
mine[0] = 100
print(weights.step(), mine)
