# Results stored into lists, dicts, sets, nested containers, attributes and a grid.
# file: work.py
import time


def mix(a, b):
    time.sleep((a + b) % 3 / 1000)
    return a * 10 + b
# file: main.py
from collections import defaultdict

import work


class Store:
    pass


grid = [[None] * 3 for _ in range(3)]
store, groups, seen, nested = Store(), defaultdict(list), set(), {"a": {"b": []}}
for i in range(3):
    for j in range(3):
        grid[i][j] = work.mix(i, j)
        groups[i + j].append(work.mix(j, i))
        seen.add(work.mix(i, i))
    setattr(store, f"row{i}", work.mix(i, 7))
    store.last = work.mix(i, 8)
    nested["a"]["b"] += [work.mix(i, 9)]
    grid[i][0] += work.mix(i, 1)
print(grid, dict(groups), sorted(seen), vars(store), nested, sep="\n")
