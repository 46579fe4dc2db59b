# Arguments are objects of the main script's own classes.
# overlap: 3
# file: main.py
from dataclasses import dataclass

import work


@dataclass
class Job:
    n: int
    rank: int = 0

    def __int__(self):
        return self.n


class Heavy(Job):
    factor = 3

    def __init__(self, n):
        super().__init__(n * self.factor)


jobs = [Job(n) if n % 2 else Heavy(n) for n in range(12)]
for job in jobs:
    print(work.nap_all([job.n]), work.nap_of(job))
