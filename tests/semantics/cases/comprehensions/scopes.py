# Names inside comprehensions shadow, closures over them see the last value.
# file: work.py
def show(x):
    return f"<{x}>"
# file: main.py
import work

x = "outer"
print([work.show(x) for x in [x, x + "!"]], work.show(x))
fs = [lambda: work.show(i) for i in range(3)]
print([f() for f in fs])
fs = [lambda i=i: work.show(i) for i in range(3)]
print([f() for f in fs])


class Table:
    size = 3
    cells = [work.show(i) for i in range(size)]
    names = {n: work.show(n) for n in "ab"}
    first = cells[0] + work.show(size)


print(Table.cells, Table.names, Table.first)
