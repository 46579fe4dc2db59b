# A handler that a function makes for itself handles the record where the function runs.
# file: work.py
import io
import logging

log = logging.getLogger("work")


def f(x):
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    log.addHandler(handler)
    try:
        log.warning("kept %s", x)
    finally:
        log.removeHandler(handler)
    log.warning("told %s", x)
    return text.getvalue()
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stdout)
for i in range(3):
    print(work.f(i))
