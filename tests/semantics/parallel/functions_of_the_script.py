# Functions of the main script are arguments: named ones, and lambdas that read globals.
# overlap: 3
# file: main.py
import work

OFFSET = 5


def shifted(x):
    return x + OFFSET


for x in range(8):
    print(work.nap_with(shifted, x))
times = lambda n: n * OFFSET
for x in range(8):
    print(work.nap_with(times, x))
