# Tasks taken from a heap, and arguments drawn from seeded generators of random numbers.
# overlap: 4
# file: main.py
import heapq
import random
from bisect import insort

import work


class Scheduler:
    def __init__(self, rng):
        self.heap = []
        self.rng = rng

    def add(self, name):
        heapq.heappush(self.heap, (self.rng.randint(0, 9), name))

    def run(self):
        while self.heap:
            level, name = heapq.heappop(self.heap)
            print(level, name, work.nap(level))


scheduler = Scheduler(random.Random(5))
for number in range(8):
    scheduler.add(f"task {number}")
scheduler.run()

random.seed(2)
for _ in range(8):
    print(work.nap(random.randrange(100)))

kept = []
for word in "the quick brown fox jumps over".split():
    insort(kept, word)
    print(work.nap_all([len(other) for other in kept]))
print(random.random())
