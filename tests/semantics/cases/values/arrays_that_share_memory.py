# An array of a result that lies in the memory of an argument, or of another array, does so in the program.
# told: 1
# file: work.py
import numpy as np


def head(a):
    return a[:5]


def backwards(a):
    return {"turned": a[::-1], "n": len(a)}


def flat(a):
    return a.reshape(-1)


def transposed(a):
    return a.T


def same(a):
    return np.asarray(a)


def parts(n):
    whole = np.arange(10) + n
    return whole, whole[:5]


def odd(n):
    whole = np.arange(10) + n
    return {"whole": whole, "odd": whole[1::2]}


def overlapping(n):
    whole = np.arange(10.0) + n
    return whole[:6], whole[4:]


def objects(items):
    return np.array(items, dtype=object)


def of_bytes(data):
    return np.frombuffer(data, dtype=np.uint8)


def fresh(a):
    return a[:5] + 1, a.copy()


# file: main.py
import numpy as np

import work

a = np.zeros(10)
for i in range(3):
    head = work.head(a)
    head[i] = 9 + i
    print(a)
work.backwards(a)["turned"][0] = 7
print(a)
table = np.zeros((3, 2))
for i in range(3):
    flat = work.flat(table)
    flat[i] = 1 + i
    print(table.tolist())
work.transposed(table)[1, 2] = 8
print(table.tolist(), work.same(table) is table)
turned = np.asfortranarray(np.arange(6.0).reshape(2, 3))
work.head(turned)[1, 2] = 70
print(turned.tolist())
strided = np.arange(20)[::2]
work.head(strided)[0] = 60
print(strided)
for i in range(3):
    whole, part = work.parts(i)
    whole[0] = 99
    print(part)
    both = work.odd(i)
    both["odd"][0] = 77
    print(both["whole"])
    left, right = work.overlapping(i)
    left[5] = 55
    print(right)
data = bytearray(b"abc")
for i in range(2):
    seen = work.of_bytes(data)
    data[0] = 65 + i
    print(seen)
items = [[1], [2]]
work.objects(items)[0].append(3)
print(items)
one, two = work.fresh(a)
one[0] = two[0] = -1
print(a)
