# What the main script logs comes home from whichever replica: those that are copies import logging by themselves.
# file: main.py
import logging
import sys
import time

log = logging.getLogger(__name__)


def f(x):
    time.sleep(0.02)
    log.info("made %s", x)
    return x


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    print([f(i) for i in range(30)])
# file: cord.toml
[remote.main]
pure = true
replicas = 4
callstyle = "async"
only = ["f"]
