# An inner loop of a single call: only looking past the inner loop overlaps anything.
# overlap: 3
# file: main.py
import work

for i in range(16):
    for j in (i,):
        print(i, work.nap(j))
