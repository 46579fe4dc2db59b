# Both streams of remote functions, with warnings on stderr.
# file: work.py
import sys
import warnings


def f(x):
    print("out", x)
    print("err", x, file=sys.stderr)
    if x == 2:
        warnings.warn("two is odd", stacklevel=1)
    return x
# file: main.py
import sys

import work

for i in range(4):
    print("main err", i, file=sys.stderr)
    work.f(i)
print(sum(work.f(i) for i in range(2)))
