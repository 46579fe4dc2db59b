# A breadth-first search: what a call finds is queued behind what is already known.
# overlap: 3
# file: main.py
from collections import deque

import work


def search(start):
    queue = deque([start])
    seen = {start}
    order = []
    while queue:
        node = queue.popleft()
        order.append(node)
        for m in work.children(node, 24):
            if m not in seen:
                seen.add(m)
                queue.append(m)
    return order


print(search(0))
queue, visited = [(0, 0)], []
while queue:
    node, depth = queue.pop(0)
    if node in visited:
        continue
    visited.append(node)
    for m in work.children(node, 24):
        queue.append((m, depth + 1))
print(visited, depth)
