# Iterators of the library: what they read changes, they are read by others, or left early.
# file: work.py
def double(x):
    return 2 * x


def total(xs):
    return sum(xs)
# file: main.py
import csv
import io
from collections import Counter
from itertools import groupby

from work import double, total

# a group is read late, in part, or not at all
rows = [(number // 3, number) for number in range(15)]
for key, group in groupby(rows, lambda row: row[0]):
    if key % 2:
        print(key, double(next(group)[1]))
    else:
        print(key, double(key))
kept = [(key, group) for key, group in groupby(rows, lambda row: double(row[0]))]
print([(key, list(group)) for key, group in kept])


def noisy(row):
    print("key of", row)
    return row[0]


for key, group in groupby(rows, noisy):
    print(key, total([number for _, number in group]))
    if key == 2:
        rows.append((9, 99))
    if key == 3:
        break
try:
    for key, group in groupby([1, 1, 2, "x", 3], lambda item: item + 0):
        print(key, total(group))
except TypeError as error:
    print(error)

# two read the same text
text = io.StringIO("".join(f"{number}\n" for number in range(12)))
for line in text:
    print(double(int(line)), text.tell())
    if line == "4\n":
        print("by hand", text.readline())
    if line == "8\n":
        text.seek(0, 2)
lines = io.StringIO("a,1\nb,2\n\"c\nd\",3\ne,4\nf,five\n")
reader = csv.reader(lines)
try:
    for name, number in reader:
        print(repr(name), double(int(number)), reader.line_num)
        if name == "a":
            print("passed by", lines.readline())
except ValueError as error:
    print(error)
for row in csv.DictReader(["x,y", "1,2", "3", "4,5,6"], restkey="more", restval="0"):
    print(row, double(int(row["y"])))
table = ["1;2", "3;4", "5;6"]
for row in csv.reader(table, delimiter=";"):
    if row == ["3", "4"]:
        table.append("7;8")
    print(double(int(row[0])))
words = Counter("abracadabra")
for letter, count in words.most_common():
    words["z"] += 10
    print(letter, double(count))
print(words.most_common(1))
