# A module puts what it holds into an order that is another one in each process.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
pure = true
only = ["named", "row"]
# file: work.py
class Kind:
    def __init__(self, name):
        self.name = name
        self.uses = 0


KINDS = [*{Kind(f"kind {n}") for n in range(64)}]
ROWS = {object(): [n] for n in range(3)} | {frozenset([kind]): [kind.name] for kind in KINDS}


def named(name):
    return next(kind for kind in KINDS if kind.name == name)


def row(name):
    return [row for row in ROWS.values() if row == [name]]
# file: main.py
import work

for n in range(12):
    kind = work.named(f"kind {n}")
    kind.uses += 1
    print(kind.name, kind.uses, any(kind is one for one in work.KINDS))
    [row] = work.row(kind.name)
    print(row, any(row is one for one in work.ROWS.values()))
