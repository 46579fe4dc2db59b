# What a thread logs after the call's reply goes through the program's handlers.
# file: work.py
import logging
import threading
import time
import warnings

log = logging.getLogger("work")


def begin(name):
    def go():
        time.sleep(0.2)
        log.warning("late %s", name)
        warnings.warn("late")

    threading.Thread(target=go).start()
    return name
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stdout, format="<%(message)s>")
print(work.begin("a"))
print("end")
# file: cord.toml
[remote.work]
