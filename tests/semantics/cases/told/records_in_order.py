# Records and what is printed come in one order, on one stream.
# file: work.py
import logging
import sys

log = logging.getLogger(__name__)


def f(x):
    print("begin", x, file=sys.stderr)
    log.info("info %d", x)
    print("middle", x, file=sys.stderr)
    log.debug("debug %d", x)
    log.error("error %s", {"x": x})
    print("end", x, file=sys.stderr)
    return x
# file: main.py
import logging
import sys

import work

logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
for i in range(6):
    print(work.f(i), file=sys.stderr)
