# Warnings from C code, in functions ahead of the program.
# file: work.py
import numpy as np


def divide(x):
    return float((np.arange(3.0) / x)[1])


def root(x):
    return float(np.sqrt(np.float64(-x)))
# file: main.py
import sys

import work

for i in range(4):
    print(work.divide(i % 2), work.root(i), file=sys.stderr)
for i in range(4):
    print(work.divide(0), file=sys.stderr)
