# Short calls whose values lead to long ones, others that stand by themselves, and helpers with both.
# file: work.py
import time


def norm(x):
    return x % 7


def score(x, y):
    time.sleep(0.001)
    return x * y


def label(x):
    return f"<{x}>"


# file: main.py
import work


class Judge:
    def __init__(self):
        self.seen = []

    def judge(self, x):
        n = work.norm(x)
        self.seen.append(work.label(n))
        return work.score(n, x)


judge = Judge()
print(sum(judge.judge(x) for x in range(150)))
print(len(judge.seen), judge.seen[:8])

found = []
for x in range(150):
    n = work.norm(x)
    if n > 3:
        found.append((work.label(x), work.score(n, 2)))
print(found[-4:], len(found))
