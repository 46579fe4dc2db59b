# What the program does more with than take its items is not read ahead.
# file: rows.csv
a,b
1,2
3,4
"5
6",7
8,9
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["csv.reader", "csv.DictReader", "main.counter", "os.scandir"]
# file: work.py
def total(values):
    return sum(int(value) for value in values)
# file: main.py
import csv
import os

import work

with open("rows.csv") as lines:
    rows = csv.reader(lines)
    print(next(rows), rows.line_num)
    for row in rows:
        print(work.total(row), rows.line_num)
with open("rows.csv") as lines:
    rows = csv.reader(lines)
    head = next(rows)
    for row in rows:
        print(dict(zip(head, row)), work.total(row))
for row in csv.DictReader(open("rows.csv")):
    print(row, work.total(row.values()))
print(type(csv.reader([])).__name__)


def counter(end):
    at = 0
    while at < end:
        at += (yield at) or 1


numbers = counter(20)
for number in numbers:
    print(work.total([number]), numbers.gi_running)
    if number == 5:
        print(numbers.send(4))
kept = counter(5)
print(type(kept).__name__, [work.total([number]) for number in kept])


for number in counter(30):
    print(work.total([number]))
    if number == 3:
        break
os.mkdir("folder")
for name in "xyz":
    open(f"folder/{name}", "w").close()
with os.scandir("folder") as entries:
    print(sorted((entry.name, work.total(str(len(entry.name)))) for entry in entries))
with os.scandir("folder") as entries:
    for entry in entries:
        print(work.total("11"))
        break
try:
    with csv.reader([]) as rows:
        for row in rows:
            print(work.total(row))
except (AttributeError, TypeError) as error:
    print(error)
