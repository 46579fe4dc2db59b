# What was logged before an exception was raised is handled before it is seen.
# file: work.py
import logging

log = logging.getLogger("work")


def f(x):
    log.warning("before %s", x)
    if x == 2:
        log.error("bad", exc_info=ValueError("inner"))
        raise ValueError(x)
    return x
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stdout, format="%(message)s")
try:
    for i in range(5):
        print(work.f(i))
except ValueError as error:
    print("caught", error)
work.f(2)
