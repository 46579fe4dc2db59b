# With copies of the program, whose handlers and counters must not act twice.
# file: work.py
import logging
import time

log = logging.getLogger("work")


def f(x):
    time.sleep(0.005)
    log.info("made %s", x)
    return x
# file: main.py
import logging
import json

import work


class Count(logging.Handler):
    def __init__(self):
        super().__init__()
        self.count = 0

    def emit(self, record):
        self.count += 1
        print(self.count, record.getMessage())


log = logging.getLogger("work")
log.setLevel("INFO")
log.addHandler(Count())
log.propagate = False
values = []
for i in range(12):
    x = json.loads(json.dumps({"x": i}))["x"]
    values.append(work.f(x))
print(values, log.handlers[0].count)
