# A function's own table: one impure counter beside pure functions of another module.
# file: count.py
_n = 0


def tick():
    global _n
    _n += 1
    return _n


def double(x):
    return 2 * x
# file: work.py
def label(n, x):
    return f"{n}:{x}"
# file: cord.toml
[remote.count]
replicas = 1

[remote.count.functions.double]
pure = true

[remote.work]
replicas = 2
pure = true
# file: main.py
import count
import work

for i in range(6):
    d = count.double(i)
    print(work.label(count.tick(), d))
print(count.tick())
