# A remote module that only the program knows where to find is called ahead like others.
# overlap: 3
# file: lib/later.py
import work

def nap(x):
    return work.nap(x)
# file: main.py
import sys

sys.path.insert(0, "lib")
from later import nap

total = 0
for i in range(20):
    total += nap(i)
    print(i, total)
# file: cord.toml
[remote.later]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
