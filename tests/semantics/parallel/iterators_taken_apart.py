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
