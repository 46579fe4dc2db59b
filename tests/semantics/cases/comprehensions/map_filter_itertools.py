# Remote functions handed to map, filter, starmap, accumulate, takewhile and zip_longest.
# file: work.py
def add(a, b=1):
    return a + b


def small(x):
    return x < 6
# file: main.py
from itertools import accumulate, chain, count, islice, product, starmap, takewhile, zip_longest

import work

print(list(map(work.add, range(5))), list(map(work.add, range(3), range(10, 13))))
print(list(filter(work.small, [9, 1, 7, 2])), list(starmap(work.add, [(1, 2), (3, 4)])))
print(list(accumulate([1, 2, 3, 4], work.add)), list(takewhile(work.small, count(3))))
print([work.add(a, b) for a, b in product(range(2), repeat=2)])
print([work.add(x) for x in islice(count(5), 4)])
print([work.add(a, b) for a, b in zip_longest([1, 2, 3], [10], fillvalue=0)])
print([work.add(x) for x in chain([1], (2, 3), range(4, 6))])
lazy = map(work.add, [1, 2, 3])
print(next(lazy), list(lazy))
