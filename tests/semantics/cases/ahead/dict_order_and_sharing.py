# Dicts that are equal but ordered otherwise, lists that are equal but share otherwise.
# file: work.py
def keys(d):
    return list(d)


def shares(rows):
    return len({id(row) for row in rows})
# file: main.py
import work

d = {"a": 1, "b": 2, "c": 3}
rows = [[0], [0], [0]]
for i in range(6):
    print(work.keys(d), work.shares(rows))
    first = next(iter(d))
    d[first] = d.pop(first)
    rows[i % 3] = rows[(i + 1) % 3]
    if i == 3:
        rows = [list(row) for row in rows]
print(d == {"a": 1, "b": 2, "c": 3}, rows == [[0]] * 3)
