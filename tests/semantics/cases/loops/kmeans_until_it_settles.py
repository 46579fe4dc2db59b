# Clusters are refined until a floating-point distance is small.
# file: work.py
def nearest(point, centres):
    best = min(range(len(centres)), key=lambda i: sum((a - b) ** 2 for a, b in zip(point, centres[i])))
    return best
def mean(points):
    n = len(points)
    return tuple(sum(c) / n for c in zip(*points))
# file: main.py
import random
from work import nearest, mean
rng = random.Random(3)
points = [(rng.gauss(cx, 1), rng.gauss(cy, 1)) for cx, cy in [(0, 0), (5, 5), (0, 6)] for _ in range(8)]
centres = rng.sample(points, 3)
shift, rounds = float("inf"), 0
while shift > 1e-9 and rounds < 20:
    clusters = {i: [] for i in range(3)}
    for p in points:
        clusters[nearest(p, centres)].append(p)
    new = [mean(c) if c else centres[i] for i, c in clusters.items()]
    shift = sum(abs(a - b) for old, n in zip(centres, new) for a, b in zip(old, n))
    centres = new
    rounds += 1
    print(rounds, f"{shift!r}")
print([tuple(round(v, 12) for v in c) for c in centres])
