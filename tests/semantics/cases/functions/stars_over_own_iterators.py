# What stands behind a star is iterated by the program's `__iter__`, and holds results of calls.
# file: work.py
import time
def norm(x, y):
    time.sleep(0.01)
    return abs(x) + abs(y)
# file: main.py
from work import norm
class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __iter__(self):
        yield self.x
        yield self.y
    def grow(self, by):
        self.y = norm(self.x, self.y + by)
vectors = [Vector(i, 2 * i) for i in range(5)]
for turn in range(3):
    for vector in vectors:
        vector.grow(turn)
        print(norm(*vector), [*vector])
