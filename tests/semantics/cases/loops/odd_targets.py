# Loop targets that are attributes, subscripts and starred names.
# file: work.py
def describe(*things):
    return "-".join(map(str, things))
# file: main.py
import work


class Box:
    value = None


box, cells, pairs = Box(), [0, 0, 0], []
for box.value in range(3):
    cells[box.value] = work.describe(box.value, "x")
for cells[1] in "pq":
    pairs.append(work.describe(*cells))
for first, *middle, last in ("abcd", [1, 2], (3, 4, 5)):
    pairs.append(work.describe(first, middle, last))
print(box.value, cells, pairs)
