# Remote functions call remote functions; both log and warn.
# file: work.py
import logging
import warnings

import inner

log = logging.getLogger("work")


def f(x):
    log.warning("outer begins %s", x)
    y = inner.g(x)
    log.warning("outer ends %s", x, stacklevel=2)
    warnings.warn("of the caller", stacklevel=2)
    return y
# file: inner.py
import logging
import warnings

log = logging.getLogger("inner")


def g(x):
    log.warning("inner %s", x)
    log.warning("the caller of inner", stacklevel=2)
    log.warning("the caller's caller", stacklevel=3)
    warnings.warn(f"inner {x}")
    warnings.warn("the caller of inner", stacklevel=2)
    warnings.warn("the caller's caller", stacklevel=3)
    return x + 1
# file: main.py
import logging
import sys

import work

logging.basicConfig(stream=sys.stderr, format="%(filename)s:%(lineno)d:%(funcName)s %(message)s")


def go(i):
    return work.f(i)


for i in range(4):
    print(go(i))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
[remote.inner]
replicas = 2
pure = true
