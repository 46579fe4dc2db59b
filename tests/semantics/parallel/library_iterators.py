# What the library makes of lines and rows: groups, tables, most common words.
# overlap: 4
# file: main.py
import csv
import io
from collections import Counter
from itertools import groupby

from work import nap, nap_all

rows = [(number // 3, number) for number in range(36)]
for key, group in groupby(rows, key=lambda row: row[0]):
    print(key, nap_all([number for _, number in group]))
print({key: [nap(n) for _, n in group] for key, group in groupby(rows[:12], lambda row: row[0])})
for key, group in groupby(sorted([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3])):
    print(key, nap(key, len(list(group))))
table = ["name,number", *(f"row {number},{number}" for number in range(12))]
for row in csv.DictReader(table):
    print(row["name"], nap(int(row["number"])))
reader = csv.reader(io.StringIO("\n".join(table)))
print(next(reader))
for name, number in reader:
    print(name, nap(int(number)))
for line in io.StringIO("\n".join("abcdefghijkl")):
    print(nap(ord(line[0])))
letters = Counter("the quick brown fox jumps over the lazy dog")
for letter, count in letters.most_common(12):
    print(letter, nap(ord(letter), count))
