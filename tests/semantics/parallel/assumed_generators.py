# Generators of the project that are assumed pure, shared by two loops.
# overlap: 3
# file: search.py
def numbers(end):
    yield from range(end)


class Reader:
    def __init__(self, end):
        self.end = end

    def items(self):
        for item in range(self.end):
            yield item * 2


# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
[assume]
pure = ["search.numbers", "search.Reader.items"]
# file: main.py
import itertools

import work
from search import Reader, numbers

items = numbers(30)
print(next(items))
for item in itertools.islice(items, 9):
    print(work.nap(item))
for item in items:
    print(work.nap(item))
for a, b in zip(Reader(12).items(), range(12)):
    print(work.nap(a, b))
