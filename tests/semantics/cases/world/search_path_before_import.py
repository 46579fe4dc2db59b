# The remote module is found only where the program looks for it.
# file: lib/work.py
import sys

import helper

def f(x):
    return helper.double(x), sys.path[0]
# file: lib/helper.py
def double(x):
    return 2 * x
# file: main.py
import sys

sys.path.insert(0, "lib")

import work
from work import f

for x in range(5):
    print(f(x), work.f(-x))
print(work.helper.double(3), work.missing if hasattr(work, "missing") else "no such name")
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
