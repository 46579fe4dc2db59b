# One iterator walked in pairs, and a function asked until it says that it is the end.
# overlap: 3
# file: main.py
from work import nap

numbers = iter(range(24))
for a, b in zip(numbers, numbers):
    print(nap(a, b))
jobs = [None, *range(12)]
for job in iter(jobs.pop, None):
    print(nap(job))
waiting = [None, *range(12)]
print([nap(job, 1) for job in iter(waiting.pop, None)])
rest = [0, *range(12, 0, -1)]
print(list(map(nap, iter(lambda: rest.pop(), 0))))
left = [0, *range(12, 0, -1)]
print(sorted(nap(job, 2) for job in iter(left.pop, 0)))
