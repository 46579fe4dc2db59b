# The client changes what it got; later calls and other results are not touched.
# file: work.py
from copy import deepcopy

BASE = {"n": [0, 1], "t": (1, [2])}


def get(i):
    return {"i": i, **deepcopy(BASE)}
# file: main.py
import work

kept = []
for i in range(5):
    r = work.get(i)
    r["n"].append(i)
    r["t"][1].append("x")
    kept.append(r)
    again = work.get(i)
    print(again, again == r, r)
    kept[0]["i"] -= 1
print(kept)
