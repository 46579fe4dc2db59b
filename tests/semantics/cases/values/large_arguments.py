# Megabytes in both directions, bytes-like of every kind, sharing one buffer.
# file: work.py
import hashlib


def digest(data, *more):
    h = hashlib.sha256(bytes(data))
    for m in more:
        h.update(bytes(m))
    return len(data), h.hexdigest()[:12]


def grow(data, n):
    return data * n


def flip(data):
    return bytearray(data[::-1])
# file: main.py
from array import array

import work

blob = bytes(range(256)) * 8000
numbers = array("d", range(120_000))
for n in range(3):
    big = work.grow(blob[: 500_000 + n], 3)
    print(len(big), work.digest(big), work.digest(blob, big))
    back = work.flip(blob)
    back[n] = n
    print(type(back).__name__, work.digest(back), work.digest(numbers))
    numbers[n] = -1.0
text = "häuser " * 200_000
print(len(work.grow(text, 2)), work.grow(numbers[:10], 2))
