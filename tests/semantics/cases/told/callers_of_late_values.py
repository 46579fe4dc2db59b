# The caller's line is that of the call, wherever its value is received.
# file: work.py
import logging
import time
import warnings

log = logging.getLogger("work")


def f(x):
    time.sleep(0.02)
    warnings.warn(f"caller {x}", stacklevel=2)
    log.warning("caller %s", x, stacklevel=2)
    return x
# file: main.py
import logging

import work

logging.basicConfig(format="%(lineno)d %(message)s")


def weigh(items):
    total = 0
    for item in items:
        total += item * item % 7
    return total


x = 3
while x < 9:
    r = work.f(x)
    a = weigh(range(1000))
    b = weigh(range(2000))
    x = x + 1 + a * 0
    print(r, a, b)
print([work.f(i) for i in range(3)])
print(list(map(work.f, range(3))))
print(
    work.f(1),
    work.f(
        2
    ),
)
