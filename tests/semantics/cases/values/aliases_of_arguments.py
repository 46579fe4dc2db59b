# Arguments are changed through aliases, views and slices between the calls.
# file: work.py
def show(x): return repr(x)
def both(a, b): return a is b, a == b
# file: main.py
from work import show, both
row = [0, 0]
grid = [row, row]
alias = grid[0]
d = {"row": row, "again": grid}
for i in range(4):
    alias[i % 2] += i
    print(show(grid), show(d), both(grid[0], grid[1]), both(row, list(row)))
    if i == 2: grid[1] = list(row)
class Box:
    pass
import collections
pt = collections.OrderedDict(x=1)
keep = [pt]
for k in "abc":
    keep[0][k] = len(pt)
    pt.move_to_end(k, last=False)
    print(show(pt), show(keep))
s = slice(1, 3)
ba = bytearray(b"abcdef")
mv = memoryview(ba)[s]
for i in range(3):
    mv[0] = 65 + i
    print(show(ba), show(bytes(mv)))
