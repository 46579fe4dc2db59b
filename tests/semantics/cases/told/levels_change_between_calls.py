# The level at the moment of the call decides.
# file: work.py
import logging

log = logging.getLogger("work")


def f(x):
    log.debug("debug %s", x)
    log.info("info %s", x)
    log.warning("warning %s", x)
    return x
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stdout, format="%(levelname)s:%(message)s")
for i, level in enumerate([logging.DEBUG, logging.WARNING, logging.INFO, logging.ERROR]):
    logging.getLogger("work").setLevel(level)
    print(work.f(i))
logging.getLogger("work").setLevel(logging.NOTSET)
logging.getLogger().setLevel(logging.DEBUG)
print(work.f(4))
logging.disable(logging.INFO)
print(work.f(5))
logging.disable(logging.NOTSET)
logging.getLogger("work").disabled = True
print(work.f(6))
logging.getLogger("work").disabled = False
logging.basicConfig(stream=sys.stdout, format="%(message)s again", level="INFO", force=True)
print(work.f(7))
