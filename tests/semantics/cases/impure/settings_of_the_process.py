# Functions with effects set what is the whole process's: it comes home with their replies.
# file: cord.toml
[remote.work]
[remote.alone]
replicas = 2
independent = true
inline = false
# file: work.py
import decimal
import os


def precise(x):
    decimal.getcontext().prec = x
    return x


def name(x):
    os.environ["NAME"] = str(x)
    return x
# file: alone.py
import os
import sys


def deep(x):
    sys.setrecursionlimit(2000 + x)
    return x


def mask(x):
    os.umask(x)
    return x
# file: main.py
import decimal
import os
import sys

import alone
import work

for i in range(3, 6):
    print(work.precise(i), decimal.Decimal(1) / 3, work.name(i), os.environ["NAME"])
    print(alone.deep(i), sys.getrecursionlimit(), alone.mask(i), os.umask(0o22))
