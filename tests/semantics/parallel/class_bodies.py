# Class bodies make the calls, in loops of their own and of the module around.
# overlap: 3
# file: main.py
from work import nap


class Table:
    width = 6
    values = [nap(i) for i in range(6)]
    rows = []
    for i in range(width):
        rows.append(nap(i, 2))


def make(k):
    class Inner:
        factor = k
        first = nap(k)
        others = list(map(lambda x: nap(x, k), range(4)))

    return Inner


print(Table.values, Table.rows, Table.i)
for k in range(3):
    made = make(k)
    print(made.first, made.others, sorted(name for name in vars(made) if "__" not in name))
