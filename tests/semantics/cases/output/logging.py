# Logging of the client with line numbers and function names, next to calls.
# file: work.py
def f(x):
    return x
# file: main.py
import logging
import sys

import work

logging.basicConfig(
    stream=sys.stdout, level=logging.INFO, format="%(filename)s:%(lineno)d %(funcName)s %(message)s"
)
log = logging.getLogger("app")


def run(n):
    for i in range(n):
        log.info("start %d", i)
        value = work.f(i)
        log.info(
            "value %d",
            work.f(value),
        )
        log.debug("hidden %d", work.f(i))
    return [log.info("in %d", work.f(i)) for i in range(2)]


run(3)
log.warning("done")
