# Each call is made on a thread of a pool, and waited for: of one that stays, and of one for each call.
# overlap: 4
# file: main.py
from concurrent.futures import ThreadPoolExecutor

import work


def limited(x):
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        return pool.submit(work.nap, x).result(timeout=30)
    finally:
        pool.shutdown(wait=False)


with ThreadPoolExecutor(2) as pool:
    for x in range(0, 40, 2):
        print(pool.submit(work.nap, x).result(), limited(x + 1))
