# Filters of loggers and handlers are the program's, and may change the record.
# file: work.py
import logging

log = logging.getLogger("work.part")


def f(x):
    log.info("secret %s", x)
    logging.getLogger("work").info("plain %s", x)
    return x
# file: main.py
import logging
import sys

import work


class Hide(logging.Filter):
    def __init__(self):
        super().__init__()
        self.count = 0

    def filter(self, record):
        self.count += 1
        record.msg = record.msg.replace("secret", "***")
        record.count = self.count
        return True


class Odd:
    def filter(self, record):
        return record.args[0] % 2


hide = Hide()
logging.getLogger("work.part").addFilter(hide)
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
handler.addFilter(Odd())
logging.getLogger("work").addHandler(handler)
logging.getLogger("work").setLevel("INFO")
for i in range(5):
    work.f(i)
print(hide.count)
