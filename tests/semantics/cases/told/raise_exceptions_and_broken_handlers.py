# A handler that fails says so on stderr, or raises, as it does for the program's own records.
# file: work.py
import logging


def f(x):
    logging.getLogger("work").error("made %s", x)
    return x
# file: main.py
import logging

import work


class Broken(logging.Handler):
    def emit(self, record):
        raise ValueError(record.getMessage())


class Quiet(Broken):
    def emit(self, record):
        try:
            super().emit(record)
        except ValueError:
            self.handleError(record)


logging.raiseExceptions = False
log = logging.getLogger("work")
quiet = Quiet()
log.addHandler(quiet)
print(work.f(1))
log.removeHandler(quiet)
log.addHandler(Broken())
try:
    print(work.f(2))
except ValueError as error:
    print("raised", error)
