# basicConfig in a remote function does nothing if the program is configured.
# args: first
# file: work.py
import logging
import sys


def setup(x):
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
    logging.info("set up %s", x)
    return x


def f(x):
    logging.info("info %s", x)
    logging.warning("warning %s", x)
    return x
# file: main.py
import sys
import logging

import work

if len(sys.argv) > 1:
    logging.basicConfig(format="first %(message)s", stream=sys.stdout)
print(work.f(0))
print(len(logging.getLogger().handlers))
for i in range(3):
    print(work.setup(i))
    print(work.f(i))
# file: cord.toml
[remote.work]
