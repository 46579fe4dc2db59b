# A slice sees the calls of one turn, two at a time, and not past the random number at the head of the next.
# overlap: 4
# file: main.py
import numpy
import work

numpy.random.seed(0)
for turn in range(10):
    first, second = numpy.random.randint(0, 30, size=2)
    rows = [[int(first)], [int(second)]]
    for step in range(2):
        for row in rows:
            row.append(work.nap(sum(row)))
    print(turn, rows)
