# Each call sets variables and adds to the path; all have begun before the first comes home.
# file: cord.toml
[remote.work]
replicas = 2
independent = true
inline = false
# file: work.py
import os
import sys


def begin(n):
    os.environ["NUMBER"] = str(n)
    os.environ["SAME"] = "all"
    sys.path.append(f"/nowhere/{n}")
    return n
# file: main.py
import os
import sys

import work

print([work.begin(n) for n in range(6)])
print(os.environ["NUMBER"], os.environ["SAME"], sys.path[-6:])
for n in range(4):
    print(work.begin(n), os.environ["NUMBER"], sys.path[-1])
