# One iterator is read in parts: in batches, in pairs, by a helper, and on behind a loop that ended.
# overlap: 4
# file: main.py
from itertools import islice

from work import nap, nap_all


def batches(source, size):
    source = iter(source)
    while batch := tuple(islice(source, size)):
        yield batch


def take(source, count):
    return [item for _, item in zip(range(count), source)]


numbers = iter(range(16))
while part := list(islice(numbers, 4)):
    print([nap(x) for x in part])
for batch in batches(range(24), 3):
    print(nap_all(batch))
numbers = iter(range(20))
for a, b in zip(numbers, numbers):
    print(nap(a, b))
numbers = iter(range(40))
for _ in range(4):
    print([nap(x) for x in take(numbers, 4)])
print([nap(x) for x in numbers])
