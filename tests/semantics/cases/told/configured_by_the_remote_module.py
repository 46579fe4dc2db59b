# Handlers that the remote module makes when it is imported write once.
# file: work.py
import logging
import sys

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s", datefmt="-")
log = logging.getLogger("work")
handler = logging.FileHandler("work.log")
log.addHandler(handler)
log.addHandler(logging.NullHandler())


def f(x):
    if not log.handlers:
        print("no handlers")
    log.info("did %s", x)
    return x
# file: main.py
import work

for i in range(4):
    print(work.f(i))
