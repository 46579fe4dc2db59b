# What a whole module, a type or NumPy's universal functions do is known by one rule each.
# file: work.py
def f(x):
    return x
# file: main.py
import heapq
import itertools
import operator
import statistics
import struct
import unicodedata
from collections import deque

from work import f

rows = [[3.0, 1.0, 2.0], [9.0, 7.0, 8.0], [4.0, 6.0, 5.0]]
queue = deque([3, 1, 2])
seen = {1, 2, 3}
for number, row in enumerate(rows):
    print(f(statistics.harmonic_mean(row)), f(operator.getitem(row, number)))
    print(f(list(itertools.accumulate(row))), f(list(itertools.compress(row, [1, 0, 1]))))
    print(f(heapq.nlargest(2, row)), f(heapq.nsmallest(1, row, key=operator.neg)))
    print(f(struct.unpack_from("<H", bytes([number, 1, 2]))), f(bytearray(b"a-b").split(b"-")))
    print(f(unicodedata.normalize("NFC", "e\u0301")), f("{n}".format_map({"n": number})))
    seen.symmetric_difference_update({number, 7})
    queue.extendleft([number])
    queue.remove(number)
    queue.insert(1, number)
    queue.reverse()
    print(f(sorted(seen)), f(list(queue)))

totals = []
for value in itertools.accumulate(rows, lambda a, b: (totals.append(len(b)), a + b)[1]):
    print(f(len(value)), totals)


class Loud(float):
    def __lt__(self, other):
        print("compared")
        return float(self) < float(other)

    def __index__(self):
        print("asked for")
        return 1


for size in (1, 2):
    print(f(heapq.nsmallest(size, [Loud(2.0), Loud(1.0)])[0] + 0))
    print(f(operator.getitem(["a", "b"], Loud(1.0))), f(operator.lt(Loud(1.0), 2)))
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
