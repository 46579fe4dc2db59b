# A pure function that changes its module in later calls only, and not in all.
# told: 1
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
# file: work.py
odd = {}


def f(x):
    if x > 40:
        odd.setdefault(x % 3, []).append(x)
    return x


# file: main.py
import work

for x in range(60):
    work.f(x)
print(work.odd)
