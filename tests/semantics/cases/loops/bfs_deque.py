# Breadth-first search with a queue, level by level, and a set of what was seen.
# file: work.py
def moves(x, y):
    return [(x + dx, y + dy) for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1))]
# file: main.py
from collections import deque

from work import moves

queue = deque([(0, 0, 0)])
seen = {(0, 0)}
while queue:
    x, y, depth = queue.popleft()
    print("  " * depth, x, y)
    if depth == 3:
        continue
    for nx, ny in moves(x, y):
        if 0 <= nx < 5 and 0 <= ny < 5 and (nx, ny) not in seen:
            seen.add((nx, ny))
            queue.append((nx, ny, depth + 1))
print(sorted(seen))
