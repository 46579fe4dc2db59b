# Sets come in the order that they have where they were made, both ways.
# file: work.py
from dataclasses import dataclass, field
import collections
def squares(n): return {i * i for i in range(n)}
def words(text): return frozenset(text.split())
def order(s): return list(s)
def nested(n): return {"a": {i * 37 % 101 for i in range(n)}, "b": [frozenset({(i, j) for i in range(n) for j in "xy"})], 3: ({i for i in range(3)},)}
def drop(s): return {x for x in s if hash(x) % 3} | {max(s)}
def same(a, b): return a is b, a[0] is b
@dataclass
class Bag:
    items: set = field(default_factory=set)
    def total(self):
        t = 0.0
        for x in self.items: t = t * 1.1 + x
        return t
def fill(bag, n): return Bag({*bag.items, *(i * 1000003 for i in range(n))})
def shared():
    s = set([64, 0, 128])
    return [s, s, {frozenset(s): s}]
def big(n): return {i * 7919 % 100003 for i in range(n)}
def changed(n):
    s = set(range(n))
    for i in range(0, n, 3): s.discard(i)
    s.add(n * 64)
    return s
def with_bytes(n): return {bytes([i]) * 3 for i in range(n)}, bytearray(b"\x8f\x91" * n)
# file: main.py
from work import *
text = "the quick brown fox jumps over the lazy dog and runs away from a bear"
for n in range(2, 30, 3):
    s = squares(n)
    print(s, order(s) == list(s), drop(s), sum(x / 3 for x in s))
    s.add(1000 + n); s.discard(0)
    print(order(s) == list(s), nested(n))
ws = words(text)
print(sorted(ws) == sorted(order(ws)), order(ws) == list(ws), same([ws], ws), type(ws).__name__)
bag = Bag({8, 16, 0})
for n in range(4):
    bag = fill(bag, n * 5)
    print(bag, repr(bag.total()))
a = shared()
print(a, a[0] is a[1], a[2][frozenset({0, 64, 128})] is a[0])
b = big(5000); print(list(b)[:5], order(b) == list(b), len(b), 7919 in b, order(b | {5}) == list(b | {5}))
print(with_bytes(5), sorted(changed(20)), order({("k", i): {i, i * 64} for i in range(3)}), [order({i, 64 + i, i + 8}) for i in range(3)])
