# A forked child of the program that comes to its own end shows nothing of what the replicas' threads write.
# file: work.py
import threading
import time


def begin(name):
    def go():
        time.sleep(0.3)
        print("late", name)

    threading.Thread(target=go).start()
    return name
# file: main.py
import os
import warnings

import work

warnings.simplefilter("ignore", DeprecationWarning)  # of a process with threads that forks, since 3.12
print(work.begin("a"), flush=True)
pid = os.fork()
if pid:
    os.waitpid(pid, 0)
    print("parent", flush=True)
else:
    print("child", flush=True)
# file: cord.toml
[remote.work]
