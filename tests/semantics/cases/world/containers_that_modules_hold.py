# What the program changes in a deque, namespace, array or the like of a module reaches calls, as state and as arguments.
# file: cord.toml
[remote.work]
pure = true
inline = false

[remote.told]
pure = true
inline = false
# file: work.py
import array
import collections
import types
import typing


class Row(typing.NamedTuple):
    items: list


QUEUE = collections.deque([0], 5)
SPACE = types.SimpleNamespace(n=0)
LISTS = collections.defaultdict(list)
ORDER = collections.OrderedDict(a=1)
COUNTS = collections.Counter("a")
NUMBERS = array.array("i", [0])
ROW = Row([])


def queue():
    return list(QUEUE), QUEUE.maxlen


def space():
    return SPACE.n


def lists():
    return dict(LISTS)


def order():
    return list(ORDER.items())


def counts():
    return dict(COUNTS)


def numbers():
    return NUMBERS.tolist()


def row():
    return ROW
# file: told.py
def told(value):
    return type(value).__name__, repr(value)
# file: main.py
import told
import work


def step(i):
    work.QUEUE.append(i)
    work.SPACE.n = i
    work.LISTS[i].append(1)
    work.ORDER[i] = i
    work.ORDER.move_to_end("a")
    work.COUNTS.update("ab")
    work.NUMBERS.append(i)
    work.ROW.items.append(i)


for i in range(3):
    print(work.queue(), work.space(), work.lists(), work.order(), work.counts(), work.numbers())
    print(work.row())
    for value in [work.QUEUE, work.SPACE, work.LISTS, work.ORDER, work.COUNTS, work.NUMBERS]:
        print(told.told(value))
    step(i)
