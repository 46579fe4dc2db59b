# Results say what is visited next.
# file: main.py
from collections import deque

from work import neighbours

seen = {1}
queue = deque([1])
while queue:
    node = queue.popleft()
    for other in neighbours(node):  # ahead
        if other not in seen:
            seen.add(other)
            queue.append(other)
print(sorted(seen))
