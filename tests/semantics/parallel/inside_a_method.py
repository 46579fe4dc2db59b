# The loop and the calls are in methods; the arguments are attributes.
# overlap: 3
# file: main.py
import work


class Survey:
    def __init__(self, points):
        self.points = points
        self.results = {}

    def measure(self):
        for point in self.points:
            self.results[point] = work.nap(point)
        return self

    def report(self):
        return [f"{p}={r}" for p, r in self.results.items()]


print(Survey(list(range(18))).measure().report())
