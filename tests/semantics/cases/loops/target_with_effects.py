# The place a result goes to is evaluated after the call, and may have effects of its own.
# file: work.py
def triple(x):
    return 3 * x
# file: main.py
import work

log = []


def slot(i):
    log.append(f"slot {i}")
    return i


def value(i):
    log.append(f"value {i}")
    return i


places = iter([2, 0, 1])
out = [0] * 3
for i in range(3):
    out[slot(next(places))] = work.triple(value(i))
    out[slot(i)] += work.triple(value(i))
print(out, log)
