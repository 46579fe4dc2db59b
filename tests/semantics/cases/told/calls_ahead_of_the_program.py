# Calls that a scout has made in vain tell nothing; those that are used tell once, in their place.
# file: work.py
import logging
import time
import warnings

log = logging.getLogger("work")


def f(x):
    time.sleep(0.005)
    log.warning("made %s", x)
    warnings.warn(f"warned {x}")
    if x == 7:
        raise ValueError(x)
    return x
# file: main.py
import logging

import work

logging.basicConfig(format="%(message)s")
total = 0
for i in range(40):
    if total > 20:
        break
    try:
        total += work.f(i)
    except ValueError as error:
        print("error", error)
        break
print(total)
