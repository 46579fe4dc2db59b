# Rows and fields of arrays of records that calls change are the program's.
# file: cord.toml
[remote.work]
inline = false
# file: work.py
def update(a, i):
    a[i]["v"] = i
    return a


def field(a):
    a["n"] += 1
    return a["n"]
# file: main.py
import numpy as np
import work

a = np.zeros(3, dtype=[("n", "i4"), ("v", "f8")])
for i in range(3):
    print(work.update(a, i) is a, a)
    field = work.field(a[1:])
    field += 1
    print(field, a)
