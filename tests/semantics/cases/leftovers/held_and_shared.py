# Locks that stay held, shared memory, weak containers, objects whose end does something.
# told: 3
# needs: locks
# file: work.py
import multiprocessing
import tempfile
import threading
import time
import weakref

LOCK = threading.Lock()
USED = threading.Lock()
NUMBER = multiprocessing.Value("i", 0)


class Thing:
    def __init__(self, x):
        self.x = x


THINGS = weakref.WeakValueDictionary()


def holds(x):
    time.sleep(0.002)
    return x, LOCK.acquire(blocking=False)


def uses(x):
    with USED:
        time.sleep(0.002)
        return x


def adds(x):
    time.sleep(0.002)
    with NUMBER.get_lock():
        NUMBER.value += x
        return NUMBER.value


def thing(x):
    time.sleep(0.002)
    found = THINGS.get(x)
    if found is None:
        found = THINGS[x] = Thing(x)
    return found


def folder(x):
    time.sleep(0.002)
    made = tempfile.TemporaryDirectory()
    with open(made.name + "/file", "w") as file:
        file.write(str(x))
    return made
# file: main.py
import os

import work

print([work.holds(x) for x in range(4)], work.LOCK.locked())
print([work.uses(x) for x in range(4)])
print([work.adds(x) for x in range(4)], work.NUMBER.value)
first = work.thing(1)
print(work.thing(1) is first, work.thing(2).x, sorted(work.THINGS))
folders = [work.folder(x) for x in range(3)]
for folder in folders:
    with open(folder.name + "/file") as file:
        print(file.read())
    folder.cleanup()
print([os.path.exists(folder.name) for folder in folders])
