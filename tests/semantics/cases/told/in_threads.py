# Several calls at once in threads of one process, and threads that functions start.
# file: work.py
import logging
import threading
import time
import warnings

log = logging.getLogger("work")


def f(x):
    log.warning("begin %s", x)
    time.sleep(0.002 * (3 - x % 3))

    def inside():
        log.warning("inside %s", x)

    thread = threading.Thread(target=inside, name=f"own {x}")
    thread.start()
    thread.join()
    warnings.warn(f"end {x}")
    return x
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stderr, format="%(threadName)s %(message)s")
for i in range(8):
    print(work.f(i))
# file: cord.toml
[remote.work]
replicas = 2
threads = 4
pure = true
