# Short calls with values that are only passed on, and from several threads at once.
# file: work.py
def pair(x):
    return {"x": x, "y": [x] * 3}


def join(one, other):
    return one["x"] + sum(other["y"])


# file: main.py
import threading

import work

print(sum(work.join(work.pair(x), work.pair(x + 1)) for x in range(300)))

sums = {}


def run(name):
    total = 0
    for x in range(300):
        total += work.join(work.pair(x), work.pair(name))
    sums[name] = total


threads = [threading.Thread(target=run, args=(name,)) for name in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(sums.items()))
