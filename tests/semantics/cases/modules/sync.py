# callstyle "sync": one at a time, in place.
# file: work.py
def f(x):
    print("f", x)
    return x * 3


def g(x, y):
    return x - y
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "sync"
# file: main.py
import work

for i in range(5):
    print(work.g(work.f(i), 1))
print(sum(work.f(i) for i in range(3)))
