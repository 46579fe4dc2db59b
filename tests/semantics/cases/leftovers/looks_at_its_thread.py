# A function that asks in which thread it runs, in a program that calls it from several.
# told: 1
# file: work.py
import threading
import time


def said(n):
    time.sleep(0.002)
    print(threading.current_thread().name, n)
    return n


def other(n):
    time.sleep(0.002)
    return n
# file: main.py
import threading
from concurrent.futures import ThreadPoolExecutor

import work


def go():
    for n in range(3):
        work.said(n)


thread = threading.Thread(target=go, name="own")
thread.start()
thread.join()
with ThreadPoolExecutor(1, thread_name_prefix="pool") as pool:
    print(list(pool.map(work.said, range(3))))
go()
print([work.other(n) for n in range(3)])
