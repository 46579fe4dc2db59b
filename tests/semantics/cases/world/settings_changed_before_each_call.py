# What a loop sets before each call, directly, in a helper, or for a while, is there in each, and never
# what was set when the call was made ahead.
# told: 1
# file: work.py
import contextvars
import decimal
import logging
import os
import random
import time
import warnings

import conf

VARIABLE = contextvars.ContextVar("VARIABLE", default=0)
LIMIT = 0
KNOWN = {"n": 0}


class Kind:
    size = 0


def size(n=0):
    return n


def look(i):
    time.sleep(0.002)
    return (
        [i, os.environ.get("STEP"), os.path.basename(os.getcwd())],
        [str(decimal.Decimal(1) / 3), VARIABLE.get()],
        [logging.getLogger("some").getEffectiveLevel(), [one[0] for one in warnings.filters[:2]]],
        [LIMIT, KNOWN["n"], Kind.size, size(), conf.LIMIT],
    )


def draw(i):
    return i, random.random()
# file: conf.py
LIMIT = 0
# file: main.py
import contextlib
import decimal
import logging
import os
import random
import warnings
from unittest import mock

import conf
import work

HOME = os.getcwd()
for i in range(8):
    os.makedirs(f"in{i}")
os.chdir("in7")


def environment(i):
    os.environ["STEP"] = str(i)


def folder(i):
    os.chdir(os.path.join(HOME, f"in{i}"))


def decimals(i):
    decimal.getcontext().prec = 3 + i


def variable(i):
    work.VARIABLE.set(i)


def levels(i):
    logging.getLogger("some").setLevel([10, 20, 30][i % 3])


def filters(i):
    warnings.simplefilter(["ignore", "always", "error"][i % 3])


def constant(i):
    work.LIMIT = i


def constant_of_another(i):
    conf.LIMIT = i


def content(i):
    work.KNOWN["n"] = i


def of_a_class(i):
    work.Kind.size = i


def default(i):
    work.size.__defaults__ = (i,)


def run(change, n):
    for i in range(n):
        change(i)
        print(work.look(i))


for change in (
    *(environment, folder, decimals, variable, levels, filters),
    *(constant, constant_of_another, content, of_a_class, default),
):
    print(change.__name__)
    run(change, 5)

for i in range(5):
    with decimal.localcontext(prec=5 + i):
        print(work.look(i))
    with mock.patch.dict(os.environ, STEP=f"for a while {i}"):
        print(work.look(i))
    with mock.patch.object(work, "LIMIT", -i), mock.patch("conf.LIMIT", -i):
        print(work.look(i))
    with mock.patch.object(work.Kind, "size", -i), mock.patch.dict(work.KNOWN, n=-i):
        print(work.look(i))
    with contextlib.chdir("/"), warnings.catch_warnings(action="ignore"):
        print(work.look(i))
    print(work.look(i))
    random.seed(i)
    print(work.draw(i), work.draw(i))
# file: cord.toml
[remote.work]
pure = true
replicas = 2
