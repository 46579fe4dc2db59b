# A handler that is put in place around a block keeps the records of that block alone.
# file: work.py
import logging

log = logging.getLogger("app.work")


def f(x):
    log.debug("debug %s", x)
    log.error("error %s", x)
    return x
# file: main.py
import contextlib
import logging

import work


class Keep(logging.Handler):
    def __init__(self):
        super().__init__(0)
        self.records = []

    def emit(self, record):
        self.records.append(record)


@contextlib.contextmanager
def captured(level):
    root, handler = logging.getLogger(), Keep()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield handler.records
    finally:
        root.setLevel(before)
        root.removeHandler(handler)


with captured(logging.DEBUG) as records:
    for i in range(3):
        work.f(i)
print([(r.name, r.levelname, r.getMessage(), r.lineno, r.funcName, r.module) for r in records])
with captured(logging.ERROR) as records:
    work.f(5)
print([(r.msg, r.args, r.processName, r.threadName, r.filename) for r in records])
created = [r.created for r in records]
print(created == sorted(created), all(abs(r.relativeCreated) < 1e6 for r in records))
work.f(6)
