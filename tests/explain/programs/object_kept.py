# Attributes of self, which the loop's own body does not change.
# file: main.py
from work import f


class Job:
    def __init__(self, k):
        self.k = k
        self.done = 0

    def run(self, values):
        for value in values:
            print(f(value + self.k))  # ahead
            self.done += 1


Job(3).run(range(6))  # in place
