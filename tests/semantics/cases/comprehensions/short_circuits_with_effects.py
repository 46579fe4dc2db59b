# Searches stop where they stop, and what was not asked for is not called.
# file: work.py
def pos(x): print("pos", x); return x > 0
# file: main.py
from work import pos
xs = [3, -1, 2, 0, 5]
print(all(pos(x) for x in xs), any(not pos(x) for x in xs), next((x for x in xs if not pos(x)), "none"), next(filter(pos, [-1, 0]), "nothing"))
print(True in map(pos, [-1, 1, 2]), any([pos(x) for x in (0, 1)]), sum(map(pos, xs)), all(()), not any(pos(-i) for i in range(3)))
it = (pos(x) for x in xs)
print(next(it), any(it), list(it))
if pos(1) and (pos(-1) or pos(2)) and not pos(0): print("yes")
x = pos(0) or pos(-1) or "default"
y = pos(1) and pos(2) and "both"
print(x, y, pos(1) if pos(-1) else pos(2), [a for a in xs if pos(a) if pos(a - 2)])
# file: cord.toml
[remote.work]
callstyle = "async"
