# Functions that are said to be pure change what other calls have given them.
# told: 2
# file: cord.toml
[remote.work]
pure = true
inline = false
# file: work.py
def make(n):
    return [n] * n


def change(rows, n):
    rows.append(n)


def show(rows):
    return str(rows)


def total(rows, *, more):
    more.append(sum(rows))
    return len(more)
# file: main.py
from work import change, make, show, total

rows = make(3)
change(rows, 1)
print(show(rows))
for n in range(4):
    rows, others = make(n + 1), make(2)
    change(rows, n)
    print(show(rows), total(rows, more=others), show(others))
    change(others, n)
    print(show(others))
