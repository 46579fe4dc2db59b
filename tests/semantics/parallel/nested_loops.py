# The calls of two nested loops overlap across the turns of the outer one.
# overlap: 3
# file: main.py
import work

for i in range(6):
    row = []
    for j in range(3):
        row.append(work.nap(i, j))
    print(row)
