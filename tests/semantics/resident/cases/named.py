# Arguments that replicas keep, which the program and the functions change and share.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
resident = ["b", "rest"]
# file: work.py
import numpy as np


def times(row, b):
    return float(row @ b.sum(axis=0))


def scribble(i, b):
    before = float(b[0, 0])
    b[:] = i
    return before


def inside(i, b):
    b[i % len(b)].append(i)
    return sum(map(len, b)), b[0] is b[-1]


def same(a, b):
    return a is b, any(one is a for one in b)


def length(i, b, *rest):
    return i, len(b), type(b).__name__, [len(one) for one in rest]


def bump(m, b):
    m += 1
    return float(b.sum())


def fail(i, b):
    if b[0, 0] == i:
        raise ValueError(i, b[0, :3].tolist())
    return i


# file: main.py
import numpy as np
import work

b = np.arange(10_000, dtype=float).reshape(100, 100)
rows = [np.full(100, float(i)) for i in range(30)]
for row in rows:
    print(work.times(row, b))
view = b.T[3:]
for i, row in enumerate(rows):
    view[i] *= i
    print(work.times(row, b))
for i in range(5):
    for row in rows[:5]:
        print(work.times(row, b=b))
    b[i] = -i
c = b
for i, row in enumerate(rows):
    if i % 7 == 3:
        c = c * 2
    print(
        work.times(row, c),
        work.times(row, np.asfortranarray(c)),
        work.times(row, c[::2, ::2].repeat(2, 1)),
    )
print([work.scribble(i, b) for i in range(10)], b[0, 0])
print([work.bump(b, b) for i in range(10)], b.sum())
print([work.same(b, [b]) for i in range(3)], [work.same([b], [b]) for i in range(3)])

lists = [[j] * 300 for j in range(100)]
lists.append(lists[0])
for i in range(20):
    print(work.inside(i, lists), work.same(lists[i], lists))
    if i % 3 == 0:
        lists[i].pop()

text, raw = "é" * 20_000, bytes(range(256)) * 100
for i in range(10):
    print(
        work.length(i, text, raw, text, lists), work.length(i, raw), work.length(i, text + str(i))
    )
    print(work.same(text, [raw]), work.same(raw, [raw, text]))
text += "more"
print(work.length(0, text), work.length(1, bytearray(raw), memoryview(raw).tobytes()))

b[0, 0] = 7
try:
    for i in range(30):
        print(work.fail(i, b))
except ValueError as error:
    print(error)
