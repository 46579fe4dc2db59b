# A function finds the main thread's name and attributes as the program has set them, and may set some.
# told: 2
# file: work.py
import threading
import time


def look(n):
    time.sleep(0.002)
    me = threading.current_thread()
    return me.name, getattr(me, "request", None), n


def stage(n):
    time.sleep(0.002)
    threading.current_thread().name = f"stage {n}"
    return n


def count(n):
    time.sleep(0.002)
    me = threading.main_thread()
    me.count = getattr(me, "count", 0) + n
    return me.count
# file: main.py
import threading

import work

me = threading.current_thread()
for n in range(3):
    print(work.look(n))
for n in range(3):
    me.request = n
    print(work.look(n), work.stage(n), me.name, work.count(n), me.count)
for n in range(3):
    print(work.look(n))
me.name = "MainThread"
del me.request
for n in range(3):
    print(work.look(n))
