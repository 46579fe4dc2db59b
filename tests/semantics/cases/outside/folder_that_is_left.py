# A function that changes the working folder, and one that puts it back.
# told: 1
# file: work.py
import os


def back(x):
    before = os.getcwd()
    os.chdir("/")
    try:
        return x, os.getcwd()
    finally:
        os.chdir(before)


def left(name):
    os.chdir(name)
    return os.path.basename(os.getcwd())


# file: main.py
import os

import work

os.makedirs("one/two")
print([work.back(i) for i in range(5)])
print([work.left(name) for name in ("one", "two")])
print(os.path.exists("two"))
os.chdir(os.path.join("..", ".."))
print(os.path.exists("one"), os.path.exists("cord.toml"))
