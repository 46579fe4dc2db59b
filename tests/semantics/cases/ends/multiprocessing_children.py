# Children of multiprocessing are waited for if they are no daemons, else ended.
# file: work.py
import multiprocessing
import time


def late(name):
    time.sleep(0.2)
    print("late", name, flush=True)


def forever():
    time.sleep(1000)


def start(name):
    multiprocessing.Process(target=late, args=(name,)).start()
    multiprocessing.Process(target=forever, daemon=True).start()
    return name
# file: main.py
import work

print(work.start("a"), flush=True)
# file: cord.toml
[remote.work]
