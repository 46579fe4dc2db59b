# Functions that ask for the exception which their caller handles; one that handles its own.
# told: 3
# file: work.py
import logging
import sys
import time
import traceback

log = logging.getLogger("work")


def line(x):
    time.sleep(0.002)
    return traceback.format_exc().splitlines()[-1]


def kind(x):
    time.sleep(0.002)
    return sys.exc_info()[0]


def tell(x):
    time.sleep(0.002)
    log.exception("failed %s", x)
    return x


def _own():
    return traceback.format_exc().splitlines()[-1]


def handles(x):
    time.sleep(0.002)
    try:
        return 1 // (x % 2)
    except ZeroDivisionError:
        return _own()
# file: main.py
import logging

import work


class Show(logging.Handler):
    def emit(self, record):
        print(record.getMessage(), record.exc_info[0].__name__)


logging.getLogger().addHandler(Show())
for x in range(3):
    try:
        print({}[x])
    except KeyError:
        print(work.line(x), work.kind(x), work.tell(x), work.handles(x))
print(work.line(1), work.kind(1), work.handles(2))
