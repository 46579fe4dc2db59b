# A pure function whose module holds an object that is changed.
# told: 1
# file: work.py
class Stats:
    def __init__(self):
        self.n = 0
        self.rows = []

    def note(self, x):
        self.n += 1
        self.rows.append(x)


stats = Stats()


def f(x):
    t = sum(i % 7 for i in range(3000))
    stats.note(x)
    return stats.n


# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(work.stats.n, work.stats.rows)
