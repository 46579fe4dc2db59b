# Functions that ask the main script for names which no argument mentions: pickles in files, its file.
# told: 1
# file: work.py
import os
import pickle
import sys
import time


def load(path):
    time.sleep(0.002)
    with open(path, "rb") as file:
        return pickle.load(file)


def where(x):
    time.sleep(0.002)
    return os.path.basename(sys.modules["__main__"].__file__), x


def fails(x):
    return x.nothing
# file: main.py
import os
import pickle

import work


class Thing:
    def __init__(self, x):
        self.x = x


for x in range(3):
    with open("things.pickle", "wb") as file:
        pickle.dump([Thing(x), x], file)
    found, number = work.load("things.pickle")
    print(type(found) is Thing, found.x, number)
    print(work.where(x))
    try:
        work.fails(x)
    except AttributeError as error:
        print(error)
os.remove("things.pickle")
