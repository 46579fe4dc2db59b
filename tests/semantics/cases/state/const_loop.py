# A constant, a dict and a list are others in each round.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
SCALE = 1
OPTS = {'k': 0}
LIST = []
def f(x): return x * SCALE
def g(x): return x * OPTS['k'] + sum(LIST)
# file: main.py
import work
for i in range(12):
    work.SCALE = i
    print(work.f(2))
for i in range(12):
    work.OPTS['k'] = i
    work.LIST.append(i)
    print(work.g(2))
