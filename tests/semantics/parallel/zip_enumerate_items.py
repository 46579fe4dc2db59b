# Loops over zip, enumerate, dict items and reversed lists.
# overlap: 4
# file: main.py
import work


def run(names, sizes, table):
    for i, (name, size) in enumerate(zip(names, sizes)):
        print(i, name, work.nap(size))
    for key, value in table.items():
        print(key, work.nap(value))
    for value in reversed(sizes):
        print(work.nap(value, 2))


run("abcdefghij", list(range(10)), {k: ord(k) for k in "klmnopq"})
