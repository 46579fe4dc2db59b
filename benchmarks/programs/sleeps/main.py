"""Calls a function that sleeps, so many times."""

import sys

import naps

total = 0
for number in range(int(sys.argv[1])):
    total += naps.nap(number, float(sys.argv[2]))
print(total)
