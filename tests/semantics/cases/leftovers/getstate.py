# A pure function that changes of its argument what no pickle has.
# told: 1
# file: work.py
class Acc:
    def __init__(self):
        self.total = 0
        self.cache = {}

    def __getstate__(self):
        return {"total": self.total}

    def __setstate__(self, s):
        self.total = s["total"]
        self.cache = {}


def f(a, x):
    t = sum(i % 7 for i in range(3000))
    a.cache[x] = 1
    return x


# file: main.py
from work import Acc, f

a = Acc()
for i in range(6):
    print(f(a, i))
print(a.total, a.cache)
