# Calls in a class body.
# file: main.py
from work import f


class Table:
    width = 4
    values = [f(x) for x in range(4)]  # ahead
    last = f(9)  # ahead


print(Table.values, Table.last)
