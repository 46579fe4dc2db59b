# The same list, dict and set change between the calls; each call has them as they were.
# file: work.py
import time


def snapshot(thing):
    time.sleep(0.001)
    return repr(thing)
# file: main.py
import work

items, table, group, nested = [], {}, set(), {"in": [[0]]}
inner = nested["in"][0]
shots = []
for i in range(8):
    items.append(i)
    table[i % 3] = i
    group.add(i * i % 7)
    inner[0] += i
    shots.append((work.snapshot(items), work.snapshot(table), work.snapshot(nested)))
    if i % 3 == 2:
        items.pop(0)
        group.clear()
    shots.append(work.snapshot(sorted(group)))
for shot in shots:
    print(shot)
