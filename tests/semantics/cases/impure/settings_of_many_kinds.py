# What undeclared calls change by way of other modules comes home, to the thread that makes the call.
# args: more
# file: cord.toml
[remote.work]
# file: library.py
import contextvars
import random

VARIABLE = contextvars.ContextVar("VARIABLE", default=0)


def seed(n):
    random.seed(n)


def take():
    return random.random()
# file: work.py
import decimal
import logging
import os
import sys
import warnings

import library

set_limit = vars(sys)["setrecursionlimit"]


def deep(n):
    set_limit(n)


def name(x):
    os.environ.update(NAME=x)


def quiet():
    warnings.filterwarnings("ignore", message="no.*")


def seed(n):
    library.seed(n)


def variable(x):
    library.VARIABLE.set(x)


def precise(n):
    decimal.getcontext().prec = n


def level(n):
    logging.getLogger("work.it").setLevel(n)


def arguments(x):
    sys.argv.append(x)
# file: main.py
import decimal
import logging
import os
import sys
import threading
import warnings

import library
import work


def in_a_thread():
    work.precise(7)
    print(decimal.Decimal(1) / 3)


work.seed(3)
print(library.take(), library.take())
work.variable("mine")
print(library.VARIABLE.get())
work.precise(4)
print(decimal.Decimal(1) / 3)
thread = threading.Thread(target=in_a_thread)
thread.start()
thread.join()
print(decimal.Decimal(1) / 3)
work.level(10)
print(logging.getLogger("work.it").level)
work.level(0)
print(logging.getLogger("work.it").level)
work.deep(2345)
work.name("mine")
print(sys.getrecursionlimit(), os.environ["NAME"])
warnings.warn("not quiet", stacklevel=2)
work.quiet()
warnings.warn("not heard", stacklevel=2)
warnings.warn("heard", stacklevel=2)
work.arguments("last")
print(sys.argv[1:])
