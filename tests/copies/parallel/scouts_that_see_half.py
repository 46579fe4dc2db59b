# A scout has issued all calls of a loop, and none of those between them: no copy issues them again.
# overlap: 4
# file: main.py
import os

import work


def inner(x):
    found = []
    for y in range(3):
        found.append(work.nap(x, y + len(os.times())))
    return found


def main():
    found = []
    for x in range(30):
        found.append((work.nap(x), inner(x)))
    print(found)


main()
