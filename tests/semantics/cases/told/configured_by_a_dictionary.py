# Handlers of dictConfig, files and a queue.
# file: work.py
import logging


def f(x):
    logging.getLogger("work.a").info("a %s", x)
    logging.getLogger("work.b").debug("b %s", x)
    logging.getLogger("other").error("other %s", x)
    return x
# file: main.py
import logging.config
import logging.handlers
import queue

import work

logging.config.dictConfig(
    {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"short": {"format": "%(levelname)s|%(name)s|%(message)s|%(module)s"}},
        "handlers": {
            "file": {"class": "logging.FileHandler", "filename": "log.txt", "formatter": "short"},
            "out": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stdout",
                "level": "ERROR",
                "formatter": "short",
            },
        },
        "loggers": {"work.b": {"level": "DEBUG", "handlers": ["file"], "propagate": False}},
        "root": {"level": "INFO", "handlers": ["file", "out"]},
    }
)
records = queue.Queue()
logging.getLogger("work").addHandler(logging.handlers.QueueHandler(records))
for i in range(4):
    print(work.f(i))
while not records.empty():
    record = records.get()
    print(record.name, record.getMessage(), record.processName, record.threadName)
