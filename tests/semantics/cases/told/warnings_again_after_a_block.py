# A block that catches warnings lets each line warn again after it, in a remote function as elsewhere.
# file: work.py
import warnings


def quiet(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("hush")
    return x


def f(x):
    warnings.warn("careful")
    return x
# file: main.py
import sys

import work

for i in range(3):
    print(work.f(i), work.f(i), file=sys.stderr)
    work.quiet(i)
