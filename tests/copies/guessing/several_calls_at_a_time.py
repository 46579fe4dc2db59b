# Two threads of a pool make calls beside each other; the next two come when both are there.
# overlap: 4
# file: main.py
from concurrent.futures import ThreadPoolExecutor, as_completed

import work

with ThreadPoolExecutor(2) as pool:
    for x in range(0, 40, 4):
        futures = {pool.submit(work.nap, y): y for y in (x, x + 1)}
        found = {futures[future]: future.result() for future in as_completed(futures)}
        print(sorted(found.items()), list(pool.map(work.nap, (x + 2, x + 3))))
