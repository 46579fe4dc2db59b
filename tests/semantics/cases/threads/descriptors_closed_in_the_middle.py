# The program closes all descriptors that it has not opened, in the midst of calls that run ahead, and
# opens files of its own: they have the numbers that were closed, and nothing of Cord's in them.
# file: work.py
import time

import numpy as np


def double(x):
    return 2 * x


def slow(x):
    time.sleep(0.05)
    return -x


def made(number):
    return np.full(200_000, float(number))


def total(values, number):
    return float(values.sum()) + number


# file: closing.py
import os


def all_of_them():
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def one_by_one():
    for number in range(3, os.sysconf("SC_OPEN_MAX")):
        try:
            os.close(number)
        except OSError:
            pass


def own_files():
    files = [open(f"own-{number}.txt", "w+") for number in range(12)]
    print([file.fileno() for file in files])
    for number, file in enumerate(files):
        file.write(f"{number}\n")
    return files


def show(files):
    for file in files:
        file.seek(0)
        print(repr(file.read()), end=" ")
    print()


# file: main.py
import sys
import threading

import closing
import numpy as np
import work

values = np.arange(100_000.0)
for number in range(12):
    print(work.double(number), work.slow(number), work.made(number)[number])
    print(work.total(values, number))
    if number == 3:
        sys.stdout.flush()
        closing.all_of_them()
        files = closing.own_files()
results = [work.total(work.made(number), number) for number in range(5)]
print(results)
closing.show(files)

thread = threading.Thread(target=lambda: print([work.slow(n) for n in range(3)]))
thread.start()
thread.join()
closing.one_by_one()
print(work.double(7))
