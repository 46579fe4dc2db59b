# A pure function that calls a method of an object of the program's, which counts.
# told: 1
# file: work.py
def f(step, x):
    t = sum(i % 7 for i in range(3000))
    return step() + x


# file: main.py
import work


class S:
    def __init__(self):
        self.n = 0

    def step(self):
        self.n += 1
        return self.n


s = S()
for i in range(6):
    print(work.f(s.step, i))
print(s.n)
