# Threads of the client make calls; the results are collected in order.
# file: work.py
import time


def f(x):
    time.sleep(x % 3 / 1000)
    return x * x
# file: main.py
import threading
from concurrent.futures import ThreadPoolExecutor

import work

results = {}


def job(name, n):
    total = 0
    for i in range(n):
        total += work.f(i)
    results[name] = total, [work.f(n + i) for i in range(3)]


threads = [threading.Thread(target=job, args=(name, k)) for k, name in enumerate("abcd")]
for thread in threads:
    thread.start()
print([work.f(i) for i in range(5)])
for thread in threads:
    thread.join()
print(sorted(results.items()))
with ThreadPoolExecutor(3) as pool:
    print(list(pool.map(work.f, range(10))), pool.submit(work.f, 11).result())
