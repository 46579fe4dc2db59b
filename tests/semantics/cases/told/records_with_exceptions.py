# exc_info, exception(), extra and stack_info arrive as they were given.
# file: work.py
import logging

log = logging.getLogger("work")


class Odd(ValueError):
    pass


def fail(x):
    raise Odd(f"odd {x}")


def f(x):
    try:
        fail(x)
    except Odd:
        log.exception("caught %s", x, extra={"user": f"u{x}", "tags": [1, 2]})
    try:
        {}[x]
    except KeyError as error:
        log.warning("missing", exc_info=error)
    log.error("nothing", exc_info=True)
    log.info("stack", stack_info=True)
    return x
# file: main.py
import logging
import os

import work


class Keep(logging.Handler):
    def emit(self, record):
        print(record.levelname, record.getMessage(), record.args, record.funcName, record.lineno)
        print(getattr(record, "user", None), getattr(record, "tags", None))
        if record.exc_info:
            print(record.exc_info[0], record.exc_info[1])
            print(self.format(record).replace(os.getcwd(), "."))
        if record.stack_info:
            print(record.stack_info.replace(os.getcwd(), "."))


log = logging.getLogger("work")
log.setLevel(logging.DEBUG)
log.addHandler(Keep())
log.propagate = False


def go(i):
    return work.f(i)


for i in range(3):
    print(go(i))
