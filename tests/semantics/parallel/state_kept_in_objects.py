# What a method keeps in its object is seen by the calls that follow, before the program keeps it.
# overlap: 4
# file: main.py
import work


class Runner:
    def __init__(self):
        self.turn = 0
        self.total = 0
        self.seen = {}
        self.log = []

    def run(self, turns):
        while self.turn < turns:
            self.add(self.turn * 10)
            self.turn += 1
        return self.total

    def add(self, x):
        if x not in self.seen:
            self.seen[x] = work.nap(x)
        self.total += self.seen[x]
        self.log.append(self.seen[x])


runner = Runner()
print(runner.run(10), runner.log, sorted(runner.seen))
