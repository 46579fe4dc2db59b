# A library appends a row for each call to a table, and sends how many there are.
# overlap: 4
# file: lib/tables.py
import csv
import os


def append(path, row):
    is_new = not os.path.isfile(path)
    with open(path, "a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(["item", "rows"])
        writer.writerow(row)


def run(function, items):
    for item in items:
        with open("table.csv", newline="") as file:
            count = len(list(csv.reader(file)))
        yield function(item, count + os.path.getsize("table.csv"))
        append("table.csv", [item, count])
# file: main.py
import sys

sys.path.append("lib")
import tables
import work

tables.append("table.csv", ["none", 0])
print(list(tables.run(work.nap, range(40))))
