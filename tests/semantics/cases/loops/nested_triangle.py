# Nested loops where the inner range depends on the outer variable.
# file: work.py
import time


def distance(a, b):
    time.sleep(((a * 5 + b) % 3) / 1000)
    return abs(a - b) * (a + 1)
# file: main.py
import work


def closest(points):
    best = None
    for i in range(len(points)):
        row = []
        for j in range(i + 1, len(points)):
            d = work.distance(points[i], points[j])
            row.append(d)
            if best is None or d < best[0]:
                best = (d, i, j)
        print(points[i], row)
    return best


print(closest([3, 14, 15, 92, 65, 35, 89]))
