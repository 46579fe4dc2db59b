# Containers and objects that others hold are as they were, should the call raise.
# stderr: whole
# file: work.py
import time


def step(x):
    time.sleep(0.003)
    print("step", x)
    if x < 0:
        raise ValueError(x)
    return x + 1
# file: main.py
import collections
import random
import sys
from typing import NamedTuple

import work

CACHE = {}
ORDER = []
TOTALS = collections.Counter()
LAZY = collections.defaultdict(list)


class Pair(NamedTuple):
    x: int
    y: int


class Sum(NamedTuple):
    x: int

    def __add__(self, other):
        print("added")
        return self.x + other


class Node:
    def __init__(self, value, below=()):
        self.value = value
        self.below = list(below)
        self.count = 0

    def total(self):
        return self.value + sum(one.total() for one in self.below)

    def grow(self, n):
        for k in range(n):
            self.below.append(Node(k))
        return len(self.below)

    def counted(self):
        self.count += 1
        return sum(range(self.count))


def remembered(n):
    if n not in CACHE:
        CACHE[n] = sum(i * i for i in range(n))
        ORDER.append(n)
    return CACHE[n]


def filled(rows, n):
    for row in rows:
        row.append(n)
        row.sort()
    rows.reverse()
    return len(rows)


def drawn(n):
    return [random.random() for _ in range(n)][0] >= 0


def looked(x):
    grid = [[0] * 4 for _ in range(4)]
    for i in range(4):
        for j in range(4):
            grid[i][j] += i * j + x
    return sum(map(sum, grid))


def attempt(x, rows, queue, seen, text):
    y = [1]
    alias = y
    try:
        r = work.step(x)
        y.append(remembered(len(ORDER) + 5))
        y += [remembered(3)]
        filled(rows, x)
        queue.appendleft(sum(range(10)))
        seen.add(max(rows[0]))
        seen.discard(0)
        text[0:1] = bytes(k for k in range(65, 68))
        found = {"y": y, **{str(k): remembered(k) for k in range(3)}}
        print(r, sorted(found))
        r = work.step(x)
        print(r, sorted(remembered(k) for k in range(3)), max(rows))
    except ValueError as error:
        print("no", error)
    print(y, alias is y, rows, queue, sorted(seen), bytes(text), CACHE, ORDER)


def objects(x):
    node = Node(1, [Node(2), Node(3, [Node(4)])])
    try:
        r = work.step(x)
        y = node.total()
        print(r, y)
        r = work.step(x + 1)
        y = node.grow(2)
        print(r, y)
        r = work.step(x)
        y = node.counted()
        print(r, y)
    except ValueError as error:
        print("no", error)
    print(node.total(), len(node.below), node.count)
    try:
        r = work.step(x)
        y = looked(x)
        z = [Pair(k, k + 1).x for k in range(3)]
        print(r, y, z)
    except ValueError as error:
        print("no", error)


def others(x):
    value = Sum(3)
    counts, lazy = TOTALS, LAZY
    try:
        r = work.step(x)
        y = [value + k for k in range(2)]
        print(r, y)
    except ValueError as error:
        print("no", error)
    try:
        r = work.step(x)
        y = sum(len(lazy[k]) for k in range(3))
        print(r, y)
    except ValueError as error:
        print("no", error, len(lazy))
    try:
        r = work.step(x)
        counts.update(k % 3 for k in range(7))
        y = sum(counts.values())
        print(r, y)
    except ValueError as error:
        print("no", error, dict(counts))
    try:
        r = work.step(x)
        y = drawn(5)
        print(r, y)
    except ValueError as error:
        print("no", error)
    print(len(lazy), dict(counts), round(random.random(), 3))


random.seed(4)
for x in (1, -1, 2, -2):
    attempt(x, [[3, 1], [2]], collections.deque([1], 3), {0, 1}, bytearray(b"xyz"))
    objects(x)
    others(x)
sys.stdout.flush()
rows = [[1]]
r = work.step(-3)
rows[0].append(sum(range(5)))
z = filled(rows, 3)
