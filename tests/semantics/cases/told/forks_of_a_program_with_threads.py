# Since Python 3.12 a fork warns of the program's own threads, and of no others; its filters are as they were.
# stderr: whole
# file: work.py
def f(x):
    return x
# file: main.py
import os
import threading
import warnings

import work


def fork():
    if os.fork() == 0:
        os._exit(0)
    os.wait()


print(work.f(1), len(warnings.filters))
fork()
print(len(warnings.filters), flush=True)
told = threading.Event()
thread = threading.Thread(target=told.wait)
thread.start()
warnings.filterwarnings("default", r"This process \(pid=[0-9]+\) is multi-threaded")
with warnings.catch_warnings(record=True) as caught:
    fork()
print([one.category.__name__ for one in caught])
told.set()
thread.join()
print(work.f(2), len(warnings.filters))
# file: cord.toml
[remote.work]
