# Functions that are declared pure change settings of the process: the program changes its own.
# told: 6
# file: work.py
import decimal
import gc
import os
import signal
import sys
import time


def precise(digits):
    time.sleep(0.002)
    decimal.getcontext().prec = digits
    return digits


def masked(mask):
    time.sleep(0.002)
    return os.umask(mask)


def counted():
    time.sleep(0.002)
    os.environ["COUNT"] = str(int(os.environ.get("COUNT", "0")) + 1)


def hooked(name):
    time.sleep(0.002)
    sys.excepthook = lambda kind, value, traceback: print("hooked by", name, value)


def handled(name):
    time.sleep(0.002)
    signal.signal(signal.SIGUSR1, lambda number, frame: print("handled by", name))


def collected(often):
    time.sleep(0.002)
    gc.set_threshold(often, 5, 5)


def careful(digits):
    with decimal.localcontext() as context:
        context.prec = digits
        return decimal.Decimal(1) / 3


# file: main.py
import decimal
import gc
import os
import signal
import sys

import work

for i in range(2, 12):
    work.precise(i)
    print(decimal.Decimal(1) / 3, work.careful(i + 1))
for i in range(8):
    print(work.masked(0o022 if i % 2 else 0o077))
for i in range(8):
    work.counted()
    print(os.environ["COUNT"])
for i in range(8):
    work.collected(700 + i)
    print(gc.get_threshold())
for i in range(4):
    work.handled(i)
os.kill(os.getpid(), signal.SIGUSR1)
for i in range(4):
    work.hooked(i)
sys.stdout.flush()
raise ValueError("seen by the hook")
