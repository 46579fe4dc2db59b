# Generator expressions stacked on each other, pulled one element at a time.
# file: work.py
def load(i):
    return [i] * (i % 4)


def size(items):
    return len(items)
# file: main.py
import work

loaded = (work.load(i) for i in range(12))
full = (items for items in loaded if items)
sizes = ((items[0], work.size(items)) for items in full)
for who, size in sizes:
    print(who, size)
    if who == 6:
        break
print(next(loaded), list(sizes))
