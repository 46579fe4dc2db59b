# Pure functions that change objects which no pickle shows: memory, queues, sums, streams, databases in memory.
# told: 6
# file: work.py
import collections
import ctypes
import functools
import hashlib
import queue
import sqlite3
import time
import zlib

inserted = []
insert = functools.partial(list.insert, inserted, 0)
numbers = queue.SimpleQueue()
digest = hashlib.md5()
packer = zlib.compressobj()
view = memoryview(bytearray(4))
cells = (ctypes.c_int * 4)()
table = sqlite3.connect(":memory:", check_same_thread=False)
table.execute("create table t (n)")


def partial(x):
    time.sleep(0.001)
    insert(x)
    return len(inserted)


def queued(x):
    numbers.put(x)
    return numbers.qsize()


def summed(x):
    digest.update(b"x")
    return digest.hexdigest()


def viewed(x):
    view[x % 4] += 1
    return bytes(view), packer is not None


def celled(x):
    cells[x % 4] += 1
    return list(cells)


def written(x):
    table.execute("insert into t values (?)", (x,))
    return table.execute("select count(*) from t").fetchone()
# file: main.py
import work

for i in range(8):
    print(work.partial(i), work.queued(i), work.summed(i), work.viewed(i), work.celled(i))
    print(work.written(i))
print(len(work.inserted), work.numbers.qsize(), work.digest.hexdigest(), bytes(work.view))
print(list(work.cells), work.table.execute("select count(*) from t").fetchone())
