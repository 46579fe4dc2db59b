# Adapters, subclasses of loggers, levels of one's own, factories, captured warnings.
# file: work.py
import logging
import warnings

TRACE = 5
logging.addLevelName(TRACE, "TRACE")


class Mine(logging.Logger):
    def trace(self, message, *args):
        if self.isEnabledFor(TRACE):
            self._log(TRACE, message, args)


logging.setLoggerClass(Mine)
log = logging.getLogger("work.mine")
logging.setLoggerClass(logging.Logger)
adapter = logging.LoggerAdapter(logging.getLogger("work"), {"ip": "1.2.3.4"})


def f(x):
    log.trace("tracing %s", x)
    adapter.warning("adapted %s", x)
    warnings.warn("careful")
    logging.info("of the root %s", x)
    log.getChild("inner").critical("child %s", x)
    return x
# file: main.py
import logging
import sys
import warnings

import work

made = logging.getLogRecordFactory()
count = 0


def factory(*args, **kwargs):
    global count
    count += 1
    record = made(*args, **kwargs)
    record.number = count
    return record


logging.basicConfig(stream=sys.stdout, level=5, format="%(number)d %(levelname)s %(name)s %(message)s")
logging.setLogRecordFactory(factory)
logging.captureWarnings(True)
warnings.formatwarning = lambda message, category, *_: f"{category.__name__}: {message}"
for i in range(3):
    print(work.f(i))
print(count)
