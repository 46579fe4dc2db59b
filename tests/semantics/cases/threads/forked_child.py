# A forked child without calls of its own leaves the parent's session alone.
# file: work.py
def f(x):
    return x * 3
# file: main.py
import os
import sys

import work

for i in range(3):
    print(work.f(i))
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        print("child", i, flush=True)
        os._exit(i)
    print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(work.f(9), [work.f(i) for i in range(3)])
