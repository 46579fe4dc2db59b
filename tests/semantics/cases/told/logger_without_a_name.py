# A logger that no name leads to handles what it is told where it is; its handlers and filters are state.
# file: work.py
import logging

log = logging.Logger("alone")


def f(x):
    log.warning("careful %s", x)
    return x
# file: main.py
import logging
import sys

import work

work.log.addHandler(logging.StreamHandler(sys.stdout))
for i in range(3):
    print(work.f(i))
work.log.addFilter(lambda record: record.args[0] != 4)
for i in range(3, 6):
    print(work.f(i))
work.log.handlers.clear()
work.log.addHandler(logging.NullHandler())
for i in range(6, 9):
    print(work.f(i))
