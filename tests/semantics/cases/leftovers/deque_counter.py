# Pure functions that change containers of the library that they are given.
# told: 1
# file: work.py
def f(q, c, o, d, x):
    t = sum(i % 7 for i in range(3000))
    q.rotate(1)
    c[x % 2] += 1
    o.move_to_end("a")
    d[x]
    return q[0], len(d), list(o)


# file: main.py
import work
from collections import deque, Counter, OrderedDict, defaultdict

q = deque(range(8))
c = Counter()
o = OrderedDict(a=1, b=2)
d = defaultdict(list)
for x in range(6):
    print(work.f(q, c, o, d, x))
print(q, c, o, d)
