# Methods that make calls, inherited and overridden, called in loops.
# overlap: 4
# file: main.py
import work


class Base:
    def __init__(self, k):
        self.k = k

    def score(self, x):
        return work.nap(x) * self.k

    def both(self, x):
        return self.score(x) + 1


class Child(Base):
    def score(self, x):
        return work.nap(x + self.k)


scorers = [Base(1), Child(3)] * 10
print(sum(scorer.both(i) for i, scorer in enumerate(scorers)))
