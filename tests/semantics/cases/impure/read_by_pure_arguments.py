# Values of impure calls become arguments of pure ones and back, in one expression.
# file: ids.py
_next = 0


def new():
    global _next
    _next += 1
    return _next
# file: work.py
def label(*ids):
    return "-".join(map(str, ids))
# file: cord.toml
[remote.ids]
replicas = 1

[remote.work]
replicas = 2
pure = true
# file: main.py
import ids
import work

print(work.label(ids.new(), ids.new()), work.label(), ids.new())
for i in range(4):
    print(work.label(i, ids.new()), ids.new() if work.label(i) == "2" else "skip")
table = {work.label(ids.new()): ids.new() for _ in range(3)}
print(table, [work.label(a, b) for a, b in zip([ids.new(), ids.new()], "xy")], ids.new())
