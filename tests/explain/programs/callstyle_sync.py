# The plan says: one at a time.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "sync"
pure = true
# file: main.py
from work import f

for x in range(4):
    print(f(x))  # in place
