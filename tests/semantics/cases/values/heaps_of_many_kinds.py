# Heaps whose items compare by code of the program, grow while they are read, or are no lists.
# file: work.py
def f(x):
    return x
# file: main.py
import heapq
from dataclasses import dataclass, field

import work


class Task:
    def __init__(self, level):
        self.level = level

    def __lt__(self, other):
        print("compared", self.level, other.level)
        return self.level < other.level


@dataclass(order=True)
class Job:
    level: int
    name: str = field(compare=False, default="")


class Heap(list):
    def append(self, item):
        print("append", item)
        super().append(item)


tasks, jobs, own = [], [], Heap()
for number in (5, 2, 8, 1):
    heapq.heappush(tasks, Task(number))
    heapq.heappush(jobs, Job(number, f"job {number}"))
    heapq.heappush(own, number)
    print(work.f(number), own)
while tasks:
    task = heapq.heappop(tasks)
    print(work.f(task.level))
while jobs:
    job = heapq.heappop(jobs)
    if work.f(job.level) == 2:
        heapq.heappush(jobs, Job(7, "more"))
    print(job)
try:
    while True:
        print(work.f(heapq.heappop(own)))
except IndexError as error:
    print(error)
distance, heap = {0: 0}, [(0, 0)]
while heap:
    far, node = heapq.heappop(heap)
    if far > distance[node]:
        continue
    for step, m in enumerate(work.f([n for n in (2 * node + 1, 3 * node + 1) if n < 30])):
        if far + step < distance.get(m, 99):
            distance[m] = far + step
            heapq.heappush(heap, (far + step, m))
print(distance)
