# What a remote function sets is there for the functions of other remote modules that it calls.
# file: cord.toml
[remote.work]

[remote.caller]

[remote.pure]
pure = true
# file: settings.py
import contextvars
import decimal
import locale
import logging
import os
import sys
import time
import warnings

HOME = os.path.dirname(os.path.abspath(__file__))
VARIABLE = contextvars.ContextVar("VARIABLE", default=0)


def seen():
    return (
        [os.environ.get("STEP"), os.getenv("STEP"), os.path.basename(os.getcwd())],
        [sys.path[-1][-8:], sys.getrecursionlimit(), sys.get_int_max_str_digits()],
        [str(decimal.Decimal(1) / 3), decimal.getcontext().rounding, VARIABLE.get()],
        [logging.getLogger("some").getEffectiveLevel(), logging.root.manager.disable],
        [entry[0] for entry in warnings.filters[:2]],
        [locale.setlocale(locale.LC_NUMERIC), time.strftime("%H", time.localtime(0))],
    )


def change(n):
    os.environ["STEP"] = str(n)
    os.makedirs(f"{HOME}/step{n}", exist_ok=True)
    os.chdir(f"{HOME}/step{n}")
    sys.path.append(f"/added/{n}")
    sys.setrecursionlimit(2000 + n)
    sys.set_int_max_str_digits(5000 + n)
    decimal.getcontext().prec = 3 + n
    VARIABLE.set(n)
    logging.getLogger("some").setLevel([10, 0, 30][n % 3])
    logging.disable([0, 10][n % 2])
    warnings.simplefilter(["always", "ignore", "error"][n % 3])
    locale.setlocale(locale.LC_NUMERIC, ["C", "C.UTF-8"][n % 2])
    os.environ["TZ"] = f"UTC-{n}"
    time.tzset()
# file: work.py
import settings


def look():
    return settings.seen()


def change(n):
    settings.change(n)
# file: pure.py
import settings


def look(n):
    return n, settings.seen()
# file: caller.py
import contextlib
import decimal
import os

import pure
import settings
import work


def sets(n):
    before = work.look()
    settings.change(n)
    return before, work.look(), pure.look(n), settings.seen()


def lets_set(n):
    work.change(n)
    return settings.seen(), pure.look(n), work.look()


def sets_for_a_while(n):
    with decimal.localcontext(prec=n), contextlib.chdir("/"):
        os.putenv("STEP", "unseen")
        found = work.look(), pure.look(n)
        os.putenv("STEP", "seen")
        return found, work.look()
# file: main.py
import os

import settings

import caller
import pure
import work

os.makedirs("begin")
os.chdir("begin")
for n in range(1, 7):
    print(caller.sets(n))
    print(settings.seen(), work.look(), pure.look(n))
for n in range(3, 6):
    print(caller.lets_set(n))
    print(settings.seen(), work.look(), pure.look(n))
for n in range(5, 7):
    print(caller.sets_for_a_while(n))
    print(settings.seen())
