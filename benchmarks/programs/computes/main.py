"""Calls a function that computes, so many times."""

import sys

import sums

total = 0
for number in range(int(sys.argv[1])):
    total += sums.sum_up(number, int(sys.argv[2]))
print(total)
