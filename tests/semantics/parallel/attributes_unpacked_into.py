# Attributes and items that are set several at a time, in an initializer and by a method.
# overlap: 4
# file: main.py
from work import nap


class Counter:
    def __init__(self, start):
        self.start, self.seen, (self.low, *self.rest) = start, [], range(3)
        self.old = self.new = 0

    def feed(self, x):
        self.old, self.new = self.new, x
        self.seen.append(nap(self.start + self.old, self.new + self.low))


for start in range(6):
    counter = Counter(start)
    for x in range(4):
        counter.feed(x)
    print(counter.seen, counter.rest)
table = [0, 0]
for i in range(12):
    table[0], table[1] = i, table[0]
    print(nap(table[0], table[1]))
