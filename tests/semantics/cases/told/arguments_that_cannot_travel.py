# Arguments of records that have no pickle, or come out of it as something else.
# file: work.py
import logging
import threading

log = logging.getLogger("work")


class Lossy:
    def __init__(self, name):
        self.name = name

    def __getstate__(self):
        return {}

    def __repr__(self):
        return f"Lossy({getattr(self, 'name', '?')})"


class Lock:
    def __init__(self):
        self.lock = threading.Lock()

    def __str__(self):
        return "a lock"


def f(x):
    log.warning("%s and %r, %s", Lossy(x), Lossy("b"), Lock())
    log.warning(Lossy(x))
    log.warning("named %(a)s %(b)d", {"a": x, "b": x})
    log.warning("one %(a)s", {"a": x})
    log.warning("percent % d")
    log.warning("%s", (1, x))
    log.warning("extra", extra={"lock": Lock(), "lossless": [x]})
    return x
# file: main.py
import logging

import work


class Show(logging.Handler):
    def emit(self, record):
        print(record.getMessage(), getattr(record, "lossless", None), getattr(record, "lock", None))


logging.getLogger().addHandler(Show())
for i in range(3):
    work.f(i)
