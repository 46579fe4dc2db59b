# Results that are None, NotImplemented, Ellipsis, classes, functions, empty things.
# file: work.py
import math


def give(i):
    return [None, NotImplemented, ..., 0, "", (), [], math.sin, int, give_name, Empty][i]


def give_name():
    return "name"


class Empty:
    def __len__(self):
        return 0
# file: main.py
import math

import work

for i in range(11):
    r = work.give(i)
    kind = "callable" if callable(r) else type(r).__name__
    print(i, kind, r is None, r is NotImplemented or bool(r), r in ((), [], "", 0))
print(work.give(7) is math.sin, work.give(8) is int, work.give(10) is work.Empty)
print(work.give(9)(), work.give(0) or work.give(3) or "last")
