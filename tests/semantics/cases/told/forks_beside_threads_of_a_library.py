# A library ends its threads right before a fork, as that for matrices does: Python warns of none then.
# stderr: whole
# file: work.py
def f(x):
    return x
# file: main.py
import os

import numpy as np
import work

print(work.f(1), (np.ones((200, 200)) @ np.ones((200, 200))).sum(), flush=True)
if os.fork() == 0:
    os._exit(0)
os.wait()
print(work.f(2))
# file: cord.toml
[remote.work]
